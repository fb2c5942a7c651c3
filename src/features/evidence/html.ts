/** A piece of HTML in which everything from outside is escaped. */
export interface Html {
  html: string;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML with values in it: texts are escaped, pieces of HTML stand as they are. */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  return { html: strings.map((text, at) => text + (at < values.length ? shown(values[at]!) : '')).join('') };
}

/** A name from outside. It keeps its direction to itself. */
export function bdi(name: string): Html {
  return html`<bdi>${name}</bdi>`;
}

function shown(value: string | number | Html | readonly Html[]): string {
  if (typeof value === 'string') return value.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.map((piece) => piece.html).join('\n');
}
