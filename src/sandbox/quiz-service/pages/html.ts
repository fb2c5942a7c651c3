/** Text that is already markup. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Interpolated = string | number | Html | null | undefined | false | readonly Interpolated[];

/** Builds markup. Escapes every value except other `html`. Attribute values must be in quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Interpolated[]): Html {
  return new Html(strings.reduce((text, string, i) => text + render(values[i - 1]) + string));
}

function render(value: Interpolated): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return escapeHtml(String(value));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
