/** Random texts that are addresses, nearly are, or are not at all. */
import fc from 'fast-check';

/** An IPv4 address as a number. */
export const u32 = fc.integer({ min: 0, max: 0xffff_ffff });

/** A number as an IPv4 address. */
export const asText = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');

/** An IPv4 address. */
export const ipv4Text = u32.map(asText);

const part = fc.oneof(
  fc.integer({ min: -1, max: 300 }).map(String),
  fc.constantFrom('', '00', '01'),
);
const group = fc.oneof(
  fc.integer({ min: 0, max: 0x1_0000 }).map((value) => value.toString(16)),
  fc.constantFrom('', '0', '00000', 'ffff', '1.2.3.4', 'G', 'Ab'),
);
const prefix = fc.constantFrom(
  '::ffff:',
  '::FFFF:',
  '::fFfF:',
  '::ffff',
  '64:ff9b::',
  '::',
  '1:2:',
);

/** Anything that a sender might call an address. */
export const anyAddressText = fc.oneof(
  ipv4Text,
  fc.ipV6(),
  fc.ipV6().map((text) => `${text}%eth0`),
  fc.tuple(prefix, ipv4Text).map((parts) => parts.join('')),
  fc.array(part, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.')),
  fc.array(group, { minLength: 2, maxLength: 10 }).map((parts) => parts.join(':')),
  fc.string({ unit: fc.constantFrom('0', '1', '25', '.', ':', 'f', '%', ' '), maxLength: 18 }),
  fc.string(),
);
