import { array, assert, constantFrom, jsonValue, oneof, property, record, string } from 'fast-check';
import { expect, it } from 'vitest';
import { escapeText, resolveText } from '../../../src/sandbox/workspace/actor/typed-text.ts';
import { checkBlocks } from '../../../src/sandbox/workspace/block-kit/validate.ts';
import { checkView } from '../../../src/sandbox/workspace/block-kit/views.ts';
import {
  type Inline,
  parseInline,
  parseMrkdwn,
  unescapeText,
} from '../../../src/sandbox/workspace/page/text/mrkdwn.ts';

const markup = array(
  oneof(
    string(),
    constantFrom('<', '>', '&', '|', '*', '_', '~', '`', '!channel', '@U00000ADA', '#C0TRAINING', '!date^1^{date}'),
  ),
).map((parts) => parts.join(''));

const kindsOf = (inlines: readonly Inline[]): string[] =>
  inlines.flatMap((inline) => ('children' in inline ? [inline.kind, ...kindsOf(inline.children)] : [inline.kind]));

it('text that was escaped mentions nobody, whatever it holds', () => {
  assert(
    property(markup, (text) => {
      const kinds = kindsOf(parseInline(escapeText(text)));
      expect(kinds.filter((kind) => ['user', 'channel', 'broadcast', 'date'].includes(kind))).toEqual([]);
    }),
  );
});

it('escaping loses nothing', () => {
  assert(
    property(markup, (text) => {
      expect(unescapeText(escapeText(text))).toBe(text);
    }),
  );
});

it('a typed command holds no angle brackets but those of people, channels, links and addresses', () => {
  assert(
    property(markup, (text) => {
      const left = resolveText(text, { people: [], channels: [] }).replaceAll(
        /<(?:[@#][A-Z0-9]+(?:\|[^<>]*)?|https?:[^<>]+|mailto:[^<>]+)>/g,
        '',
      );
      expect(left).not.toMatch(/[<>]/);
    }),
  );
});

it('an id in small letters is no id, and escaped', () => {
  expect(resolveText('<#a> <@U1> <#C1|x>', { people: [], channels: [] })).toBe('&lt;#a&gt; <@U1> <#C1|x>');
});

it('any text can be read as mrkdwn', () => {
  assert(
    property(markup, (text) => {
      expect(() => parseMrkdwn(text)).not.toThrow();
    }),
  );
});

it('any JSON is either taken or refused with reasons, as blocks and as a view', () => {
  const blockLike = record({
    type: constantFrom('section', 'actions', 'input', 'data_table', 'data_visualization', 'card'),
    elements: jsonValue(),
    text: jsonValue(),
    rows: jsonValue(),
    chart: jsonValue(),
  });
  assert(
    property(oneof(jsonValue(), array(blockLike)), (value) => {
      for (const checked of [checkBlocks(value, { surface: 'message' }), checkView(value)]) {
        expect(checked.errors === undefined || checked.errors.length > 0).toBe(true);
      }
    }),
  );
});
