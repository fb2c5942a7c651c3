import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/sandbox/workspace/limits.ts';
import {
  bar,
  barBlock,
  block,
  button,
  cell,
  confirm,
  dataTable,
  input,
  message,
  modal,
  oneOption,
  option,
  overflow,
  plain,
  select,
  text,
  times,
  view,
  type Refused,
} from '../support/web-api.ts';

/** Limits on payloads. The tests of time and rate limits are with the features they apply to. */
type PayloadLimit = Exclude<
  keyof typeof limits,
  | 'messageText'
  | 'messageSize'
  | 'updateTextBytes'
  | 'messageMetadataBytes'
  | 'viewBytes'
  | 'viewStack'
  | 'fileAltText'
  | 'fileInputBytes'
  | 'acknowledgementMs'
  | 'triggerLifeMs'
  | 'responseUrlUses'
  | 'responseUrlLifeMs'
  | 'sockets'
>;

/** Builds a payload of the given size for each limit. @returns its errors, if any */
const payloads: Record<PayloadLimit, (size: number) => Refused> = {
  messageBlocks: (size) => message(times(size, () => ({ type: 'divider' }))),
  viewBlocks: (size) => modal(times(size, () => ({ type: 'divider' }))),
  viewTitle: (size) => view({ title: plain(size) }),
  viewSubmit: (size) => view({ submit: plain(size) }),
  viewClose: (size) => view({ close: plain(size) }),
  viewCallbackId: (size) => view({ callback_id: text(size) }),
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
  inputLabel: (size) => input({ label: plain(size) }),
  inputHint: (size) => input({ hint: plain(size) }),
  dataTableRows: (size) => dataTable(size, 1),
  dataTableColumns: (size) => dataTable(2, size),
  dataTablePageSize: (size) => dataTable(2, 1, { page_size: size }),
  dataTableCharacters: (size) => block('data_table', { caption: 'Rows', rows: [[cell(10)], [cell(size - 10)]] }),
  chartTitle: (size) => bar({ title: text(size) }),
  chartSeries: (size) => bar({ series: size }),
  chartSeriesName: (size) => bar({ nameLength: size }),
  chartPoints: (size) => bar({ count: size }),
  chartLabel: (size) => bar({ labelLength: size }),
  chartAxisTitle: (size) => bar({ axis: { x_label: text(size) } }),
  chartsPerMessage: (size) => message(times(size, () => barBlock({}))),
  buttonText: (size) => button({ text: plain(size) }),
  buttonValue: (size) => button({ value: text(size) }),
  buttonUrl: (size) => button({ url: `https://${text(size - 8)}` }),
  accessibilityLabel: (size) => button({ accessibility_label: text(size) }),
  selectOptions: (size) => select({ options: times(size, option) }),
  optionText: (size) => oneOption({ text: plain(size) }),
  optionValue: (size) => oneOption({ value: text(size) }),
  optionDescription: (size) => oneOption({ description: plain(size) }),
  overflowOptions: (size) => overflow(times(size, option)),
  choiceOptions: (size) => input({}, { type: 'checkboxes', options: times(size, option) }),
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
const withoutMinimum = new Set([
  'messageBlocks',
  'viewBlocks',
  'dataTableCharacters',
  'chartsPerMessage',
  'buttonUrl',
  'chartLabel',
  'chartSeriesName',
]);
const minimums = Object.entries(payloads).flatMap(([name, refused]) => {
  const { min = 1 } = limitOf(name);
  return min === 0 || withoutMinimum.has(name) ? [] : [{ name, min, refused }];
});

describe.each(minimums)('the minimum of $name', ({ min, refused }) => {
  it(`is ${min}`, () => {
    expect(refused(min)).toBeUndefined();
    expect(refused(min - 1)).toBeDefined();
  });
});
