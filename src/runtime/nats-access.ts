/** How the NATS servers of the settings are reached. Control plane. */

import type { NatsAccess } from '../bus/nats/connection.ts';
import type { Settings } from '../settings/schema.ts';

/** Servers and credentials of the settings. */
export function natsAccess(settings: Settings): NatsAccess {
  return {
    servers: settings.natsServers,
    user: settings.natsUser,
    password: settings.natsPassword,
    token: settings.natsToken,
    credentials: settings.natsCredentials,
  };
}
