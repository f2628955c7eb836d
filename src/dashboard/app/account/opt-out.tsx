/** A link and its QR code by which somebody stops being counted on another device (D-19, D-32). */
import type { Domain } from '../site/site-data.ts';
import { word } from '../words/words.ts';
import { Qr } from './qr.tsx';

export function OptOut({ domain }: { domain: Domain }) {
  const address = `https://${domain.hostname}/?footfall=off`;
  return (
    <section class="opt-out" aria-label={word('optOut')}>
      <div>
        <h3>{word('optOut')}</h3>
        <p class="hint">{word('optOutHint')}</p>
        <a href={address} target="_blank" rel="noreferrer">
          {address}
        </a>
      </div>
      <Qr text={address} label={word('qrOf', { what: address })} />
    </section>
  );
}
