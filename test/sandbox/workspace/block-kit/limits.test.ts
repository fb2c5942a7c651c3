import { describe, expect, it } from 'vitest';
import { checkBlocks } from '../../../../src/sandbox/workspace/block-kit/validate.ts';
import { checkView } from '../../../../src/sandbox/workspace/block-kit/views.ts';
import { limits } from '../../../../src/sandbox/workspace/limits.ts';

/** Limits on payloads. The tests of time and rate limits are with the features they apply to. */
type PayloadLimit = Exclude<
  keyof typeof limits,
  | 'messageText'
  | 'messageMetadataBytes'
  | 'viewBytes'
  | 'viewStack'
  | 'acknowledgementMs'
  | 'triggerLifeMs'
  | 'responseUrlUses'
  | 'responseUrlLifeMs'
  | 'sockets'
>;

type Refused = string[] | undefined;

const text = (length: number): string => 'x'.repeat(length);
const plain = (length: number) => ({ type: 'plain_text', text: text(length) });
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_one, index) => make(index));
const option = (index: number, over: object = {}) => ({ text: plain(1), value: `${index}`, ...over });

const message = (blocks: unknown): Refused => checkBlocks(blocks, { surface: 'message' }).errors;
const home = (blocks: unknown): Refused => checkBlocks(blocks, { surface: 'home' }).errors;
const modal = (blocks: unknown): Refused => checkBlocks(blocks, { surface: 'modal' }).errors;
const view = (over: object): Refused => checkView({ type: 'modal', title: plain(1), blocks: [], ...over }).errors;
const block = (type: string, fields: object): Refused => message([{ type, ...fields }]);
const element = (fields: object): Refused => block('actions', { elements: [fields] });
const button = (over: object): Refused => element({ type: 'button', text: plain(1), ...over });
const select = (over: object): Refused => element({ type: 'static_select', ...over });
const oneOption = (over: object): Refused => select({ options: [option(0, over)] });
const overflow = (options: unknown[]): Refused => element({ type: 'overflow', options });
const input = (over: object, fields: object = {}): Refused =>
  modal([{ type: 'input', label: plain(1), element: { type: 'plain_text_input', ...fields }, ...over }]);
const confirm = (over: object): Refused =>
  button({ confirm: { title: plain(1), text: plain(1), confirm: plain(1), deny: plain(1), ...over } });
const card = (over: object): Refused => block('card', { title: plain(1), ...over });
const cell = (length = 1) => ({ type: 'raw_text', text: text(length) });
const table = (rows: number, columns: number, length = 1): Refused =>
  block('table', { rows: times(rows, () => times(columns, () => cell(length))) });
const dataTable = (rows: number, columns: number, over: object = {}, length = 1): Refused =>
  block('data_table', { caption: 'Rows', rows: times(rows, () => times(columns, () => cell(length))), ...over });
const points = (count: number, length = 2) =>
  times(count, (index) => ({ label: `${String.fromCodePoint(97 + index)}${text(length - 1)}`, value: index }));
const pie = (segments: { label: string; value: number }[]): Refused =>
  block('data_visualization', { title: 'Chart', chart: { type: 'pie', segments } });
const bar = (over: {
  count?: number;
  labelLength?: number;
  series?: number;
  nameLength?: number;
  axis?: object;
}): Refused => {
  const data = points(over.count ?? 2, over.labelLength);
  return block('data_visualization', {
    title: 'Chart',
    chart: {
      type: 'bar',
      series: times(over.series ?? 1, (index) => ({ name: `${index}${text((over.nameLength ?? 2) - 1)}`, data })),
      axis_config: { categories: data.map((point) => point.label), ...over.axis },
    },
  });
};

/** Builds a payload of the given size for each limit. @returns its errors, if any */
const payloads: Record<PayloadLimit, (size: number) => Refused> = {
  messageBlocks: (size) => message(times(size, () => ({ type: 'divider' }))),
  viewBlocks: (size) => modal(times(size, () => ({ type: 'divider' }))),
  viewTitle: (size) => view({ title: plain(size) }),
  viewSubmit: (size) => view({ submit: plain(size) }),
  viewClose: (size) => view({ close: plain(size) }),
  viewCallbackId: (size) => view({ callback_id: text(size) }),
  viewExternalId: (size) => view({ external_id: text(size) }),
  viewPrivateMetadata: (size) => view({ private_metadata: text(size) }),
  blockId: (size) => block('divider', { block_id: text(size) }),
  actionId: (size) => button({ action_id: text(size) }),
  textObject: (size) => block('context', { elements: [plain(size)] }),
  sectionText: (size) => block('section', { text: plain(size) }),
  sectionFields: (size) => block('section', { fields: times(size, () => plain(1)) }),
  sectionFieldText: (size) => block('section', { fields: [plain(size)] }),
  headerText: (size) => block('header', { text: plain(size) }),
  contextElements: (size) => block('context', { elements: times(size, () => plain(1)) }),
  actionsElements: (size) => block('actions', { elements: times(size, () => ({ type: 'button', text: plain(1) })) }),
  imageAltText: (size) => block('image', { image_url: 'https://example.com/a.png', alt_text: text(size) }),
  imageTitle: (size) => block('image', { image_url: 'https://example.com/a.png', alt_text: 'A', title: plain(size) }),
  imageUrl: (size) => block('image', { image_url: `https://${text(size - 8)}`, alt_text: 'A' }),
  inputLabel: (size) => input({ label: plain(size) }),
  inputHint: (size) => input({ hint: plain(size) }),
  alertText: (size) => modal([{ type: 'alert', text: plain(size) }]),
  cardTitle: (size) => card({ title: plain(size) }),
  cardSubtitle: (size) => card({ subtitle: plain(size) }),
  cardBody: (size) => card({ body: plain(size) }),
  cardSubtext: (size) => card({ subtext: plain(size) }),
  cardActions: (size) => card({ actions: times(size, () => ({ type: 'button', text: plain(1) })) }),
  carouselCards: (size) =>
    home([{ type: 'carousel', elements: times(size, () => ({ type: 'card', title: plain(1) })) }]),
  markdownText: (size) =>
    message([
      { type: 'markdown', text: text(size - 5) },
      { type: 'markdown', text: text(5) },
    ]),
  tableRows: (size) => table(size, 1),
  tableColumns: (size) => table(1, size),
  tableColumnSettings: (size) =>
    block('table', { rows: [[cell()]], column_settings: times(size, () => ({ align: 'right' })) }),
  tableCharacters: (size) =>
    message([0, 1].map((part) => ({ type: 'table', rows: [[cell(part === 0 ? size - 10 : 10)]] }))),
  dataTableRows: (size) => dataTable(size, 1),
  dataTableColumns: (size) => dataTable(2, size),
  dataTablePageSize: (size) => dataTable(2, 1, { page_size: size }),
  dataTableCharacters: (size) => block('data_table', { caption: 'Rows', rows: [[cell(10)], [cell(size - 10)]] }),
  chartTitle: (size) =>
    block('data_visualization', { title: text(size), chart: { type: 'pie', segments: [{ label: 'A', value: 1 }] } }),
  chartSegments: (size) => pie(points(size).map((point) => ({ ...point, value: 1 }))),
  chartSeries: (size) => bar({ series: size }),
  chartSeriesName: (size) => bar({ nameLength: size }),
  chartPoints: (size) => bar({ count: size }),
  chartLabel: (size) => bar({ labelLength: size }),
  chartAxisTitle: (size) => bar({ axis: { x_label: text(size) } }),
  chartsPerMessage: (size) =>
    message(
      times(size, () => ({
        type: 'data_visualization',
        title: 'Chart',
        chart: { type: 'pie', segments: [{ label: 'A', value: 1 }] },
      })),
    ),
  buttonText: (size) => button({ text: plain(size) }),
  buttonValue: (size) => button({ value: text(size) }),
  buttonUrl: (size) => button({ url: `https://${text(size - 8)}` }),
  accessibilityLabel: (size) => button({ accessibility_label: text(size) }),
  selectOptions: (size) => select({ options: times(size, option) }),
  selectGroups: (size) => select({ option_groups: times(size, () => ({ label: plain(1), options: [option(0)] })) }),
  groupLabel: (size) => select({ option_groups: [{ label: plain(size), options: [option(0)] }] }),
  optionText: (size) => oneOption({ text: plain(size) }),
  optionValue: (size) => oneOption({ value: text(size) }),
  optionDescription: (size) => oneOption({ description: plain(size) }),
  optionUrl: (size) => overflow([option(0, { url: text(size) })]),
  overflowOptions: (size) => overflow(times(size, option)),
  choiceOptions: (size) => element({ type: 'radio_buttons', options: times(size, option) }),
  placeholder: (size) => select({ options: [option(0)], placeholder: plain(size) }),
  plainTextInput: (size) => input({}, { initial_value: text(size) }),
  fileInputFiles: (size) =>
    modal([{ type: 'input', label: plain(1), element: { type: 'file_input', max_files: size } }]),
  confirmTitle: (size) => confirm({ title: plain(size) }),
  confirmText: (size) => confirm({ text: plain(size) }),
  confirmButton: (size) => confirm({ confirm: plain(size) }),
};

const limitOf = (name: string): { max: number; min?: number; source: string } =>
  Object.entries(limits).find(([key]) => key === name)?.[1] ?? { max: 0, source: '' };

describe.each(Object.entries(payloads))('the limit %s', (name, refused) => {
  const { max, source } = limitOf(name);

  it(`accepts ${max} and rejects ${max + 1} with a JSON pointer`, () => {
    expect(refused(max)).toBeUndefined();
    expect(refused(max + 1)).toEqual(expect.arrayContaining([expect.stringMatching(/\[json-pointer:\/.+\]$/)]));
  });

  it('has a source', () => {
    expect(source).toMatch(/^https:\/\/docs\.slack\.dev\//);
  });
});

/** Limits on sums, and on parts with a fixed prefix, have no minimum of their own. */
const withoutLeast = new Set([
  'messageBlocks',
  'viewBlocks',
  'markdownText',
  'tableCharacters',
  'dataTableCharacters',
  'chartsPerMessage',
  'imageUrl',
  'buttonUrl',
  'chartLabel',
  'chartSeriesName',
]);
const leasts = Object.entries(payloads).flatMap(([name, refused]) => {
  const { min = 1 } = limitOf(name);
  return min === 0 || withoutLeast.has(name) ? [] : [{ name, min, refused }];
});

describe.each(leasts)('the minimum of $name', ({ min, refused }) => {
  it(`is ${min}`, () => {
    expect(refused(min)).toBeUndefined();
    expect(refused(min - 1)).toBeDefined();
  });
});

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
      'options and groups at once',
      'must define either `options` or `option_groups`',
      select({ options: [option(0)], option_groups: [{ label: plain(1), options: [option(0)] }] }),
    ],
    [
      'an initial option that is not among the options',
      '`initial_option` must be among the options',
      select({ options: [option(0)], initial_option: option(1) }),
    ],
    ['an incomplete confirm dialog', 'missing required field: deny', confirm({ deny: undefined })],
    ['a card without content', 'must define one of `hero_image`', block('card', { subtitle: plain(1) })],
    ['a card with a bare string', 'must provide an object [json-pointer:/blocks/0/title]', card({ title: 'Bare' })],
    ['a button with an unsafe URL', 'must be a valid URL', button({ url: 'javascript:alert(1)' })],
    [
      'data table rows of different lengths',
      'all rows must have the same number of cells',
      block('data_table', { caption: 'Rows', rows: [[cell()], [cell(), cell()]] }),
    ],
    [
      'a rich header in a data table',
      'header cells must not be rich_text',
      block('data_table', { caption: 'Rows', rows: [[{ type: 'rich_text', elements: [] }], [cell()]] }),
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
    ['an empty slice', 'must be greater than 0', pie([{ label: 'A', value: 0 }])],
    [
      'two elements with initial focus',
      'only one element may set `focus_on_load`',
      modal(
        [0, 1].map(() => ({
          type: 'input',
          label: plain(1),
          element: { type: 'plain_text_input', focus_on_load: true },
        })),
      ),
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
  const chart = {
    type: 'data_visualization',
    title: 'Chart',
    chart: { type: 'pie', segments: [{ label: 'A', value: 1 }] },
  };
  const rows = { type: 'data_table', caption: 'Rows', rows: [[cell()], [cell()]] };

  it.each([
    ['alert', { type: 'alert', text: plain(1) }, [false, true, false]],
    ['data_table', rows, [true, false, true]],
    ['data_visualization', chart, [true, false, false]],
    ['markdown', { type: 'markdown', text: 'x' }, [true, false, false]],
    ['card', { type: 'card', title: plain(1) }, [true, true, true]],
  ])('show a block of type %s only where Slack does', (_type, payload, expected) => {
    expect([message([payload]), modal([payload]), home([payload])].map((errors) => errors === undefined)).toEqual(expected);
  });

  it('reject new blocks in a legacy workspace', () => {
    expect(
      checkBlocks([rows, chart], { surface: 'message', unknownTypes: new Set(['data_table', 'data_visualization']) })
        .errors,
    ).toEqual([
      'unsupported type: data_table [json-pointer:/blocks/0/type]',
      'unsupported type: data_visualization [json-pointer:/blocks/1/type]',
    ]);
  });
});
