import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBlocks, checkView } from '../../../../src/sandbox/workspace/block-kit/validate.ts';
import {
  barBlock,
  block,
  button,
  cell,
  confirm,
  element,
  home,
  input,
  message,
  modal,
  option,
  overflow,
  plain,
  points,
  select,
  view,
  type Refused,
} from '../support/web-api.ts';

describe('rules other than sizes', () => {
  const cases: [string, string, Refused][] = [
    ['a section without text and fields', 'must define either `text` or `fields`', block('section', {})],
    [
      'a header in mrkdwn',
      'must be a valid enum value [json-pointer:/blocks/0/text/type]',
      block('header', { text: { type: 'mrkdwn', text: 'x' } }),
    ],
    [
      'an unknown property',
      'invalid additional property: colour [json-pointer:/blocks/0]',
      block('divider', { colour: 'red' }),
    ],
    ['an unknown block', 'unsupported type: sections [json-pointer:/blocks/0/type]', block('sections', {})],
    [
      'an input element among actions',
      'unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]',
      element({ type: 'plain_text_input' }),
    ],
    [
      'a missing label',
      'missing required field: label [json-pointer:/blocks/0]',
      modal([{ type: 'input', element: { type: 'plain_text_input' } }]),
    ],
    [
      'two blocks with the same id',
      'block_id already exists: a [json-pointer:/blocks/1/block_id]',
      message([
        { type: 'divider', block_id: 'a' },
        { type: 'divider', block_id: 'a' },
      ]),
    ],
    [
      'two elements of a block with the same id',
      'action_id already exists in this block: a [json-pointer:/blocks/0]',
      block('actions', {
        elements: [
          { type: 'button', action_id: 'a', text: plain(1) },
          { type: 'button', action_id: 'a', text: plain(1) },
        ],
      }),
    ],
    [
      'an initial option that is not among the options',
      '`initial_option` must be among the options',
      select({ options: [option(0)], initial_option: option(1) }),
    ],
    [
      'an initial option with another text than the option it names',
      '`initial_option` must be among the options',
      select({ options: [option(0)], initial_option: { ...option(0), text: plain(2) } }),
    ],
    [
      'a date that is no date',
      'must be a date in the format YYYY-MM-DD',
      input({}, { type: 'datepicker', initial_date: '1 Nov' }),
    ],
    [
      'a menu of more than five actions',
      'no more than 5 items allowed',
      overflow(Array.from({ length: 6 }, (_item, index) => option(index))),
    ],
    [
      '`dispatch_action` on an element',
      'invalid additional property: dispatch_action',
      input({}, { type: 'multi_users_select', dispatch_action: true }),
    ],
    ['an incomplete confirm dialog', 'missing required field: deny', confirm({ deny: undefined })],
    [
      'a header with a bare string',
      'must provide an object [json-pointer:/blocks/0/text]',
      block('header', { text: 'Bare' }),
    ],
    ['a button with an unsafe URL', 'must be a valid URL', button({ url: 'javascript:alert(1)' })],
    [
      'data table rows of different lengths',
      'all rows must have the same number of cells',
      block('data_table', { caption: 'Rows', rows: [[cell()], [cell(), cell()]] }),
    ],
    [
      'a data table without a caption',
      'missing required field: caption',
      block('data_table', { rows: [[cell()], [cell()]] }),
    ],
    [
      'two series with the same name',
      'series names must be unique',
      block('data_visualization', {
        title: 'Chart',
        chart: {
          type: 'line',
          series: [
            { name: 'A', data: points(1) },
            { name: 'A', data: points(1) },
          ],
          axis_config: { categories: ['ax'] },
        },
      }),
    ],
    [
      'a series without a point for each category',
      'every series must have exactly one point for each category',
      block('data_visualization', {
        title: 'Chart',
        chart: { type: 'line', series: [{ name: 'A', data: points(1) }], axis_config: { categories: ['ax', 'bx'] } },
      }),
    ],
    [
      'a modal with inputs but no submit button',
      'must define `submit` to use an `input` block in modals [json-pointer:/view/blocks/0/input]',
      view({ blocks: [{ type: 'input', label: plain(1), element: { type: 'plain_text_input' } }] }),
    ],
    [
      'a Home tab with a title',
      'invalid additional property: title',
      checkView({ type: 'home', title: plain(1), blocks: [] }).errors,
    ],
  ];

  it.each(cases)('reject %s', (_name, reason, errors) => {
    expect(errors).toEqual(expect.arrayContaining([expect.stringContaining(reason)]));
  });

  it('accept a modal with inputs and a submit button', () => {
    expect(
      view({ submit: plain(1), blocks: [{ type: 'input', label: plain(1), element: { type: 'plain_text_input' } }] }),
    ).toBeUndefined();
  });
});

describe('surfaces', () => {
  const chart = barBlock({});
  const rows = { type: 'data_table', caption: 'Rows', rows: [[cell()], [cell()]] };

  it.each([
    ['data_table', rows, [true, false, true]],
    ['data_visualization', chart, [true, false, false]],
  ])('show a block of type %s only where Slack does', (_type, payload, expected) => {
    expect([message([payload]), modal([payload]), home([payload])].map((errors) => errors === undefined)).toEqual(
      expected,
    );
  });
});

it('any JSON is either accepted or rejected with reasons, as blocks and as a view', () => {
  const blockLike = fc.record({
    type: fc.constantFrom('section', 'actions', 'input', 'data_table', 'data_visualization', 'rich_text'),
    elements: fc.jsonValue(),
    text: fc.jsonValue(),
    rows: fc.jsonValue(),
    chart: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.array(blockLike)), (value) => {
      for (const checked of [checkBlocks(value, { surface: 'message' }), checkView(value)]) {
        expect(checked.errors === undefined || checked.errors.length > 0).toBe(true);
      }
    }),
  );
});
