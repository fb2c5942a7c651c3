import { html, type TemplateResult } from 'lit-html';
import type { Person } from '../../model.ts';

const shades = 8;

/** Renders initials on a colour derived from the id. Hidden from screen readers, because the name follows. */
export function avatar(
  person: Pick<Person, 'id' | 'realName' | 'isBot'> | undefined,
  size: 'small' | 'large' = 'large',
): TemplateResult {
  const name = person?.realName ?? '?';
  const initials = name.split(' ').slice(0, 2).map(initialOf).join('');
  return html`<span
    class="avatar avatar-${size} ${person?.isBot === true ? 'avatar-bot' : `shade-${shadeOf(person?.id ?? '')}`}"
    aria-hidden="true"
    >${person?.isBot === true ? botIcon : initials}</span
  >`;
}

const botIcon = html`<svg viewBox="0 0 24 24" width="60%" height="60%">
  <path
    fill="currentColor"
    d="M11 2h2v3h5a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-3l-3 3-3-3H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2h5V2Zm-2.5 8a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Zm7 0a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Z"
  />
</svg>`;

const shadeOf = (id: string): number =>
  Array.from(id).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % shades;

const graphemes = new Intl.Segmenter();

/** The first grapheme of a text. */
const initialOf = (text: string): string => graphemes.segment(text)[Symbol.iterator]().next().value?.segment ?? '';
