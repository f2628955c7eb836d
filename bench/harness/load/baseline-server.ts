/**
 * The floor that the service is measured against: uWebSockets.js reads the body, parses it as JSON
 * and answers `{}`. Nothing is checked, kept or looked up, so no service can cost less.
 *
 * Control plane; a process of its own.
 */
import { serveBodies } from './bare-server.ts';

await serveBodies((body, reply) => {
  JSON.parse(body.toString('utf8'));
  reply();
});
