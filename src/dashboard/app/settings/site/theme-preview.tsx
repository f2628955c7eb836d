/** A small dashboard in the colours that are being chosen. */
import { count } from '../../words/format.ts';
import { say } from '../../words/settings.ts';
import { word } from '../../words/words.ts';

/** Settings and files of a theme, by name. */
export type Look = Readonly<Record<string, string | null | undefined>>;

const HEIGHTS = [34, 52, 45, 70, 62, 88, 76];

/** @param look what is typed, over what lies below it. */
export function ThemePreview({ look, name }: { look: Look; name: string }) {
  return (
    <section class="theme-previews" aria-label={say('preview')}>
      <Preview look={look} name={name} mode="light" />
      <Preview look={look} name={name} mode="dark" />
    </section>
  );
}

function Preview({ look, name, mode }: { look: Look; name: string; mode: 'light' | 'dark' }) {
  const ending = mode === 'dark' ? '_dark' : '';
  const style: Record<string, string> = {};
  const put = (property: string, setting: string) => {
    const value = look[setting];
    if (value) style[property] = value;
  };
  put('--accent', `accent${ending}`);
  put('--paper', `background${ending}`);
  put('--face', 'font');
  const logo = look[`logo_${mode}`];
  return (
    <figure class={`theme-preview is-${mode}`} style={style}>
      <div class="theme-preview-top">
        {logo ? <img src={logo} alt="" /> : <strong dir="auto">{name}</strong>}
        <span class="theme-preview-button">{word('today')}</span>
      </div>
      <div class="theme-preview-card" aria-hidden="true">
        <small>{word('visitors')}</small>
        <b>{count(1_204)}</b>
        <div class="theme-preview-bars">
          {HEIGHTS.map((height) => (
            <i key={height} style={{ blockSize: `${height}%` }} />
          ))}
        </div>
      </div>
      <figcaption>{word(mode)}</figcaption>
    </figure>
  );
}
