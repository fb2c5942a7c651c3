import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { html } from '../../../../src/sandbox/quiz-service/pages/page.ts';

test('escapes values, but not nested markup and lists of it', () => {
  const items = ['<b>', '"&\''].map((text) => html`<li>${text}</li>`);
  expect(html`<ul title="${'"'}">${items}</ul>`.text).toBe(
    '<ul title="&quot;"><li>&lt;b&gt;</li><li>&quot;&amp;&#39;</li></ul>',
  );
});

test('renders null, undefined and false as nothing, and 0 as 0', () => {
  expect(html`<p>${null}${undefined}${false}${0}</p>`.text).toBe('<p>0</p>');
});

test('no text escapes from an element or a quoted attribute, and none is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const markup = html`${text}`.text;
      expect(markup).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
      expect(markup.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')).toBe(text);
    }),
  );
});
