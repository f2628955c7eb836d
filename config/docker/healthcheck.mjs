/** Whether the service of this container takes hits and answers: exit status 0. By its own settings. */
import { get as plain } from 'node:http';
import { get as secure } from 'node:https';

const { FOOTFALL_PORT = '8080', FOOTFALL_TLS_CERT = '' } = process.env;
const get = FOOTFALL_TLS_CERT === '' ? plain : secure;
// The certificate is for the name that others use.
const where = { host: '127.0.0.1', port: FOOTFALL_PORT, rejectUnauthorized: false };
get({ ...where, path: '/readyz' }, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1);
}).on('error', () => process.exit(1));
