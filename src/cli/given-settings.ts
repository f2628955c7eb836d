/**
 * The settings of a command: its flags with everything below them, or a refusal.
 *
 * Control plane.
 */
import { unreachable } from '../base/assert.ts';
import { errors } from '../model/errors.ts';
import { loadSettings, type SettingSources } from '../settings/load.ts';
import type { Settings } from '../settings/schema.ts';

/**
 * Reads the settings.
 *
 * @throws SETTING_UNKNOWN, SETTING_MALFORMED, CONFIG_FILE_UNREADABLE for what has to change.
 */
export function givenSettings(flags: NonNullable<SettingSources['flags']>): Settings {
  const loaded = loadSettings({ flags });
  if ('settings' in loaded) return loaded.settings;
  const { fault } = loaded;
  switch (fault.code) {
    case 'SETTING_UNKNOWN':
      throw errors.SETTING_UNKNOWN(fault.detail);
    case 'SETTING_MALFORMED':
      throw errors.SETTING_MALFORMED(fault.detail);
    case 'CONFIG_FILE_UNREADABLE':
      throw errors.CONFIG_FILE_UNREADABLE(fault.detail);
    default:
      return unreachable(fault);
  }
}
