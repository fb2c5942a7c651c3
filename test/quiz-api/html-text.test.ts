import { isSaid, say } from '../../src/domain/said.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { htmlToText } from '../../src/quiz-api/html-text.ts';
import { growthOf } from '../support/measurements.ts';

describe('HTML becomes text', () => {
  test.each([
    ['paragraphs', '<p>First</p><p>Then</p>', 'First\nThen'],
    ['line breaks and white space', '<div>One\n   two<br/>three</div>', 'One two\nthree'],
    ['emphasis', 'Do <strong>not</strong> <EM CLASS="x">run</EM>.', 'Do not run.'],
    ['entities', 'Fire&nbsp;safety &amp; first aid &#8211; &lt;b&gt;', 'Fire safety & first aid – <b>'],
    ['lists', '<ul><li>Shoes</li><li><p>Gloves</p></li></ul>', '• Shoes\n• Gloves'],
    ['numbered lists that are not closed', '<ol><li>Warn<li>Leave</ol>', '1. Warn\n2. Leave'],
    [
      'tables',
      '<table><tr><th>Class</th><th>Use</th></tr><tr><td><p>A</p></td><td>Wood</td></tr></table>',
      'Class | Use\nA | Wood',
    ],
    ['raised and lowered digits', '10<sup>3</sup> m of H<sub>2</sub>O', '10³ m of H₂O'],
    ['scripts and styles', '<style>p{color:red}</style>Hello<script>alert(1)</script>', 'Hello'],
    ['comments', '<!-- <b>draft</b> -->Final', 'Final'],
    ['links', 'See <a href="https://quiz.example">the rules</a>', 'See the rules'],
    ['broken markup', '<p>One <b>two</p></i>three', 'One two\nthree'],
    ['an empty paragraph', '<p>&nbsp;</p>', ''],
  ])('%s', (_, html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  test.each([
    ['an image with a description', '<img src="a.png" alt="a blue whale">', '[image: a blue whale]'],
    ['an image without one', 'Which? <img src="a.png">', 'Which? [image]'],
    ['a drawing', '<svg><path d="M0"/><text>x</text></svg> left', '[image] left'],
    ['what words adjoin', 'Solve<math><mi>x</mi></math>now (<img>)<img>.', 'Solve [formula: x] now ([image]) [image].'],
    ['a video', '<video controls><source src="a">Old browser</video>', '[video]'],
    [
      'a formula',
      '<math><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><msqrt><mn>2</mn></msqrt></mfrac></math>',
      '[formula: x^2=(a+b)/√(2)]',
    ],
    [
      'a formula with bounds',
      '<math><munderover><mo>∑</mo><mn>1</mn><mi>n</mi></munderover></math>',
      '[formula: ∑_1^n]',
    ],
    [
      'a formula with its TeX source, and its second rendering',
      '<span class="katex"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></semantics></math><span aria-hidden="true">x1</span></span>',
      '[formula: x_1]',
    ],
    ['a formula with a description', '<math alttext="x squared"><mi>x</mi></math>', '[formula: x squared]'],
    ['an empty formula', '<math></math>', '[formula]'],
    ['an image of a formula', '<img class="Wirisformula" alt="x squared">', '[formula: x squared]'],
    ['LaTeX', '<p>Solve \\(x^2 < 4\\) and $$y_1$$</p>', 'Solve \\(x^2 < 4\\) and $$y_1$$'],
  ])('that names %s', (_, html, text) => {
    expect(htmlToText(html)).toBe(text);
  });
});

describe('a text that is no HTML', () => {
  test.each([
    '1 < 2',
    'x<y and y>z',
    'if a<b and c>d',
    'AT&T, R&D',
    'x&copy=1',
    '<!channel> & <https://x|y>',
    'a <!-- b',
    'List<String>',
    '<p',
    '  two  spaces\nand a line',
  ])('comes back unchanged: %s', (text) => {
    expect(htmlToText(text)).toBe(text);
  });

  test('keeps its white space where only entities are replaced', () => {
    expect(htmlToText('a &lt; b\n  c')).toBe('a < b\n  c');
  });

  test('comes back unchanged without < and &, whatever it is and however long', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[<&]/g, '')),
        (text) => {
          expect(htmlToText(text)).toBe(text);
        },
      ),
    );
    expect(htmlToText('x'.repeat(200_000))).toHaveLength(200_000);
  });
});

const words = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '1', 'é', '.'), minLength: 1, maxLength: 8 });
const element = fc.constantFrom(
  'p',
  'b',
  'div',
  'li',
  'ul',
  'ol',
  'table',
  'tr',
  'td',
  'span',
  'script',
  'style',
  'math',
  'mi',
  'msup',
  'img',
  'br',
  'svg',
  'h1',
  'sup',
  'a',
);
const { html } = fc.letrec<{ html: string }>((tie) => ({
  html: fc.oneof(
    { maxDepth: 4 },
    words,
    fc
      .tuple(element, tie('html'), tie('html'))
      .map(([name, inside, after]) => `<${name} class="x">${inside}</${name}>${after}`),
    fc.constant('<!-- c -->'),
  ),
}));
const broken = fc
  .array(
    fc.oneof(
      element.map((name) => `<${name}`),
      element.map((name) => `</${name}>`),
      element.map((name) => `<${name}>`),
      fc.constantFrom(
        '<',
        '>',
        '&',
        '&amp;',
        '&lt;',
        '<!--',
        '-->',
        '"',
        '=',
        ' ',
        '&#0;',
        '&#xD800;',
        '<![CDATA[',
        '</',
      ),
      words,
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

test('the text of HTML has no marks of what the bot says, entities included', () => {
  expect(isSaid(htmlToText('<b>&#xFDDE;@U1&#64991;</b> &#xFDD0;'))).toBe(false);
});

test('the text of HTML has no tags and no lines without text', () => {
  fc.assert(
    fc.property(html, (generated) => {
      const text = htmlToText(generated);
      expect(text).not.toMatch(/[<>]/);
      expect(generated.includes('<') && /^\s|\s$|\n\s*\n/.test(text)).toBe(false);
    }),
  );
});

test('whatever it is, it is read without an error', () => {
  fc.assert(
    fc.property(fc.oneof(broken, fc.string({ unit: 'binary' })), (anything) => {
      expect(htmlToText(anything).length).toBeLessThanOrEqual(12 * anything.length + 12);
    }),
  );
});

test.each([
  '<div>',
  '<',
  '<!--',
  '<p ',
  '&amp;',
  '&',
  '<td>',
  '<math>',
  '<ol><li>',
  '<b>a</b>',
  '<b =',
  '<img alt="',
  '<msup>',
  '</p>',
  '<sup>1',
])('200,000 characters of %s are read in bounded time', (part) => {
  expect(growthOf((length) => void htmlToText(part.repeat(length / part.length)), 200_000)).toBeLessThan(20);
});

test('a name cannot pose as a sentence of the bot', () => {
  const posing = say`Closed ${'Fire safety'} <b>now</b>.`;
  expect(isSaid(posing)).toBe(true);
  expect(isSaid(htmlToText(posing))).toBe(false);
});
