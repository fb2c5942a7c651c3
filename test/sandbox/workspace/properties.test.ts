import { array, assert, constantFrom, jsonValue, oneof, property, record, string } from 'fast-check';
import { expect, it } from 'vitest';
import { escapeText, resolveText } from '../../../src/sandbox/workspace/actor/conversations.ts';
import { checkBlocks, checkView } from '../../../src/sandbox/workspace/block-kit/validate.ts';
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

it('escaped text never mentions anybody', () => {
  assert(
    property(markup, (text) => {
      const kinds = kindsOf(parseInline(escapeText(text)));
      expect(kinds.filter((kind) => ['user', 'channel', 'broadcast', 'date'].includes(kind))).toEqual([]);
    }),
  );
});

it('escaping is reversible', () => {
  assert(
    property(markup, (text) => {
      expect(unescapeText(escapeText(text))).toBe(text);
    }),
  );
});

it('a typed command contains only the angle brackets of people, channels, links and e-mail addresses', () => {
  assert(
    property(markup, (text) => {
      const left = resolveText(text, { people: [], channels: [], userGroups: [] }).replaceAll(
        /<(?:[@#][A-Z0-9]+(?:\|[^<>]*)?|https?:[^<>]+|mailto:[^<>]+)>/g,
        '',
      );
      expect(left).not.toMatch(/[<>]/);
    }),
  );
});

it('an id in lower case is not an id and is escaped', () => {
  expect(resolveText('<#a> <@U1> <#C1|x>', { people: [], channels: [], userGroups: [] })).toBe(
    '&lt;#a&gt; <@U1> <#C1|x>',
  );
});

it('any text parses as mrkdwn', () => {
  assert(
    property(markup, (text) => {
      expect(() => parseMrkdwn(text)).not.toThrow();
    }),
  );
});

it('any JSON is either accepted or rejected with reasons, as blocks and as a view', () => {
  const blockLike = record({
    type: constantFrom('section', 'actions', 'input', 'data_table', 'data_visualization', 'rich_text'),
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
