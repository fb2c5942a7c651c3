import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { html } from '../../../../src/sandbox/quiz-service/pages/html.ts';

test('what is interpolated is escaped, other markup and its lists are not', () => {
  const items = ['<b>', '"&\''].map((text) => html`<li>${text}</li>`);
  expect(html`<ul title="${'"'}">${items}</ul>`.text).toBe(
    '<ul title="&quot;"><li>&lt;b&gt;</li><li>&quot;&amp;&#39;</li></ul>',
  );
});

test('nothing is shown for null, undefined and false, and 0 is shown', () => {
  expect(html`<p>${null}${undefined}${false}${0}</p>`.text).toBe('<p>0</p>');
});

test('no text gets out of an element or a quoted attribute, and all of it is there', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const markup = html`${text}`.text;
      expect(markup).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
      expect(markup.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')).toBe(text);
    }),
  );
});
