/**
 * Slack's limits, each with its source. Where two editions of Slack's documentation differ, the smaller
 * figure applies, so that what the sandbox accepts is valid in both.
 */
export interface Limit {
  readonly max: number;
  readonly min?: number;
  readonly source: string;
}

const blocks = 'https://docs.slack.dev/reference/block-kit/blocks';
const elements = 'https://docs.slack.dev/reference/block-kit/block-elements';
const objects = 'https://docs.slack.dev/reference/block-kit/composition-objects';
const methods = 'https://docs.slack.dev/reference/methods';

export const limits = {
  messageBlocks: { max: 50, source: blocks },
  messageText: { max: 40_000, source: `${methods}/chat.postMessage#truncating` },
  messageSize: { max: 13_422, source: 'https://github.com/slackapi/bolt-js/issues/2509 (see messageSize)' },
  updateTextBytes: { max: 4_000, source: `${methods}/chat.update` },
  messageMetadataBytes: { max: 16_000, source: 'https://docs.slack.dev/messaging/message-metadata' },
  viewBlocks: { max: 100, source: blocks },
  viewTitle: { max: 24, source: 'https://docs.slack.dev/reference/views/modal-views' },
  viewSubmit: { max: 24, source: 'https://docs.slack.dev/reference/views/modal-views' },
  viewClose: { max: 24, source: 'https://docs.slack.dev/reference/views/modal-views' },
  viewCallbackId: { max: 255, min: 0, source: 'https://docs.slack.dev/reference/views/modal-views' },
  viewPrivateMetadata: { max: 3000, min: 0, source: 'https://docs.slack.dev/reference/views/modal-views' },
  viewBytes: { max: 250_000, source: `${methods}/views.open` },
  viewStack: { max: 3, source: 'https://docs.slack.dev/surfaces/modals' },
  blockId: { max: 255, source: blocks },
  actionId: { max: 255, source: elements },
  textObject: { max: 3000, source: `${objects}/text-object` },
  sectionText: { max: 3000, source: `${blocks}/section-block` },
  sectionFields: { max: 10, min: 1, source: `${blocks}/section-block` },
  sectionFieldText: { max: 2000, source: `${blocks}/section-block` },
  headerText: { max: 150, source: `${blocks}/header-block` },
  contextElements: { max: 10, min: 1, source: `${blocks}/context-block` },
  actionsElements: { max: 25, min: 1, source: `${blocks}/actions-block` },
  fileAltText: { max: 1000, source: 'https://docs.slack.dev/reference/methods/files.getUploadURLExternal' },
  inputLabel: { max: 2000, source: `${blocks}/input-block` },
  inputHint: { max: 2000, source: `${blocks}/input-block` },
  dataTableRows: {
    max: 101,
    min: 2,
    source: `${blocks}/data-table-block (one header row; a later edition allows 201)`,
  },
  dataTableColumns: { max: 20, min: 1, source: `${blocks}/data-table-block` },
  dataTablePageSize: { max: 100, min: 1, source: `${blocks}/data-table-block` },
  dataTableCharacters: { max: 10_000, source: `${blocks}/table-block (a later edition allows data tables 20,000)` },
  chartTitle: { max: 50, source: `${blocks}/data-visualization-block` },
  chartSeries: { max: 12, min: 1, source: `${blocks}/data-visualization-block (6 until summer 2026)` },
  chartSeriesName: { max: 20, source: `${blocks}/data-visualization-block` },
  chartPoints: { max: 20, min: 1, source: `${blocks}/data-visualization-block` },
  chartLabel: { max: 20, source: `${blocks}/data-visualization-block` },
  chartAxisTitle: { max: 50, source: `${blocks}/data-visualization-block` },
  chartsPerMessage: { max: 2, source: `${blocks}/data-visualization-block` },
  buttonText: { max: 75, source: `${elements}/button-element` },
  buttonValue: { max: 2000, min: 0, source: `${elements}/button-element` },
  buttonUrl: { max: 3000, source: `${elements}/button-element` },
  accessibilityLabel: { max: 75, source: `${elements}/button-element` },
  selectOptions: { max: 100, min: 1, source: `${elements}/select-menu-element#static_select` },
  optionText: { max: 75, source: `${objects}/option-object` },
  optionValue: { max: 150, source: `${objects}/option-object` },
  optionDescription: { max: 75, source: `${objects}/option-object` },
  overflowOptions: { max: 5, min: 1, source: `${elements}/overflow-menu-element` },
  choiceOptions: { max: 10, min: 1, source: `${elements}/checkboxes-element` },
  placeholder: { max: 150, source: elements },
  plainTextInput: { max: 3000, min: 0, source: `${elements}/plain-text-input-element` },
  fileInputBytes: { max: 10 * 1024 * 1024, source: `${elements}/file-input-element` },
  fileInputFiles: { max: 10, min: 1, source: `${elements}/file-input-element` },
  confirmTitle: { max: 100, source: `${objects}/confirmation-dialog-object` },
  confirmText: { max: 300, source: `${objects}/confirmation-dialog-object` },
  confirmButton: { max: 30, source: `${objects}/confirmation-dialog-object` },
  acknowledgementMs: {
    max: 3000,
    source: 'https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response',
  },
  triggerLifeMs: {
    max: 3000,
    source: 'https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses',
  },
  responseUrlUses: {
    max: 5,
    source: 'https://docs.slack.dev/interactivity/handling-user-interaction#message_responses',
  },
  responseUrlLifeMs: {
    max: 30 * 60_000,
    source: 'https://docs.slack.dev/interactivity/handling-user-interaction#message_responses',
  },
  sockets: { max: 10, source: 'https://docs.slack.dev/apis/events-api/using-socket-mode' },
} as const satisfies Record<string, Limit>;
