import type { HomeView, ModalView } from '@slack/types';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn' as const, text });
const option = (text: string, value = text.toLowerCase()) => ({ text: plain(text), value });

export const quizzes = [
  'Fire safety',
  'First aid',
  'Forklift basics',
  'Food hygiene',
  '<!channel> & <https://x|y>',
].map((name, index) => ({ text: plain(name), value: String(10 + index) }));

const names = ['Rosa Almeida', 'Ravi Banerjee', 'Mei Tanaka', 'Olu Adeyemi', 'Ines Costa', 'Jonas Weber', 'Amira Said'];
const scores = [92, 58, 77, 85, 100, 41, 69];

/** The results of a quiz: facts, chart and sortable table. */
export const resultBlocks = [
  { type: 'header', text: plain('Fire safety: results') },
  {
    type: 'section',
    fields: [mrkdwn('*Submitted*\n84'), mrkdwn('*Passed*\n71%'), mrkdwn('*Mean*\n76.4'), mrkdwn('*Median*\n78')],
  },
  {
    type: 'data_visualization',
    title: 'How many scored what',
    chart: {
      type: 'bar',
      series: [
        {
          name: 'This month',
          data: [3, 8, 19, 30, 24].map((value, index) => ({ label: `${index * 20}–${index * 20 + 20}`, value })),
        },
        {
          name: 'Last month',
          data: [5, 11, 16, 22, 15].map((value, index) => ({ label: `${index * 20}–${index * 20 + 20}`, value })),
        },
      ],
      axis_config: {
        categories: [0, 20, 40, 60, 80].map((from) => `${from}–${from + 20}`),
        x_label: 'Percent',
        y_label: 'People',
      },
    },
  },
  {
    type: 'data_table',
    caption: 'Attempts',
    page_size: 5,
    rows: [
      [
        { type: 'raw_text', text: 'Person' },
        { type: 'raw_text', text: 'Score' },
        { type: 'raw_text', text: 'Grade' },
      ],
      ...names.map((name, index) => [
        { type: 'raw_text', text: name },
        { type: 'raw_number', value: scores[index], text: `${scores[index]}%` },
        { type: 'raw_text', text: (scores[index] ?? 0) >= 70 ? 'Passed' : 'Failed' },
      ]),
    ],
  },
];

const week = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'];
const series = (name: string, values: number[]) => ({
  name,
  data: values.map((value, index) => ({ label: week[index] ?? '', value })),
});

export const chartBlocks = [
  {
    type: 'data_visualization',
    title: 'Pass rate',
    chart: {
      type: 'line',
      series: [series('Fire safety', [70, 72, 69, 80, 84]), series('First aid', [55, 61, 64, 60, 71])],
      axis_config: { categories: week, y_label: 'Percent' },
    },
  },
  {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'rosa s3cret' }] }],
  },
  { type: 'context', elements: [mrkdwn('Asked by <@U0000ROSA> in <#C0TRAINING|training> :white_check_mark:')] },
];

export const alertBlocks = [
  { type: 'section', text: mrkdwn('✅ *Rosa Almeida* passed *Fire safety*') },
  {
    type: 'context',
    elements: [
      mrkdwn(
        '9 of 10 points · 90% · Grade A · attempt 1 · 12 min · <!date^1793000000^{date_short_pretty} {time}|some time>',
      ),
    ],
  },
];

export const listBlocks = [
  { type: 'header', text: plain('Quizzes') },
  ...quizzes.slice(0, 3).map((quiz) => ({
    type: 'section',
    text: mrkdwn(`*${quiz.text.text}* · open\n84 responses, 71% passed`),
    accessory: {
      type: 'button',
      action_id: 'close-one',
      text: plain('Close'),
      style: 'danger',
      value: quiz.value,
      confirm: {
        title: plain('Close this quiz?'),
        text: mrkdwn(`Nobody can take *${quiz.text.text}* any more.`),
        confirm: plain('Close it'),
        deny: plain('Keep it open'),
        style: 'danger',
      },
    },
  })),
  {
    type: 'actions',
    elements: [
      {
        type: 'static_select',
        action_id: 'filter',
        placeholder: plain('Filter'),
        options: [option('Open'), option('Closed')],
      },
      { type: 'overflow', action_id: 'more', options: [option('Export'), option('Refresh')] },
    ],
  },
];

export const closeQuizView = (): ModalView => ({
  type: 'modal',
  callback_id: 'close-quiz',
  title: plain('Close a quiz'),
  submit: plain('Close quiz'),
  blocks: [
    { type: 'section', text: mrkdwn('People who have begun may still submit.') },
    {
      type: 'input',
      block_id: 'quiz',
      label: plain('Quiz'),
      hint: plain('Type a part of its name.'),
      element: { type: 'external_select', action_id: 'quiz', min_query_length: 0, placeholder: plain('Which quiz?') },
    },
    {
      type: 'input',
      block_id: 'reason',
      optional: true,
      label: plain('Reason'),
      element: { type: 'plain_text_input', action_id: 'reason', multiline: true },
    },
  ],
});

export const everyInputView = (): ModalView => ({
  type: 'modal',
  callback_id: 'every-input',
  title: plain('Every input'),
  submit: plain('Save'),
  close: plain('Never mind'),
  blocks: [
    {
      type: 'input',
      block_id: 'name',
      label: plain('Name'),
      element: { type: 'plain_text_input', action_id: 'name', placeholder: plain('Ada Okafor') },
    },
    {
      type: 'input',
      block_id: 'email',
      label: plain('E-mail address'),
      element: { type: 'email_text_input', action_id: 'email' },
    },
    {
      type: 'input',
      block_id: 'people',
      label: plain('People'),
      element: {
        type: 'multi_users_select',
        action_id: 'people',
        placeholder: plain('Who?'),
      },
    },
    {
      type: 'input',
      block_id: 'quizzes',
      optional: true,
      label: plain('Quizzes'),
      element: { type: 'multi_external_select', action_id: 'quizzes', min_query_length: 0 },
    },
    {
      type: 'input',
      block_id: 'status',
      label: plain('Status'),
      element: {
        type: 'static_select',
        action_id: 'status',
        options: [{ ...option('Open'), description: plain('Anyone with the link') }, option('Closed')],
        initial_option: option('Closed'),
      },
    },
    {
      type: 'input',
      block_id: 'rights',
      optional: true,
      label: plain('Rights'),
      element: {
        type: 'checkboxes',
        action_id: 'rights',
        options: [option('Manage users'), option('Manage groups'), option('Edit quizzes')],
      },
    },
    {
      type: 'input',
      block_id: 'from',
      optional: true,
      label: plain('From'),
      element: { type: 'datepicker', action_id: 'from', initial_date: '2026-11-20' },
    },
    {
      type: 'input',
      block_id: 'channel',
      label: plain('Channel'),
      element: { type: 'conversations_select', action_id: 'channel', filter: { include: ['public', 'private'] } },
    },
    {
      type: 'input',
      block_id: 'until',
      optional: true,
      label: plain('Until'),
      element: { type: 'datetimepicker', action_id: 'until' },
    },
    {
      type: 'input',
      block_id: 'note',
      optional: true,
      label: plain('Note'),
      element: { type: 'plain_text_input', action_id: 'note', multiline: true },
    },
    { type: 'actions', block_id: 'deeper', elements: [{ type: 'button', action_id: 'deeper', text: plain('Deeper') }] },
  ],
});

export const deeperView = (): ModalView => ({
  type: 'modal',
  callback_id: 'deeper',
  title: plain('One deeper'),
  blocks: [{ type: 'section', text: mrkdwn('This lies on top of the other.') }],
});

export const homeView = (person: string): HomeView => ({
  type: 'home',
  blocks: [
    { type: 'header', text: plain('Hello') },
    { type: 'section', text: mrkdwn(`You are <@${person}>, a *trainer*.`) },
    { type: 'divider' },
    {
      type: 'section',
      text: mrkdwn('*Fire safety* · 71% passed'),
      accessory: { type: 'button', action_id: 'close-one', text: plain('Close'), value: '10' },
    },
    { type: 'actions', elements: [{ type: 'checkboxes', action_id: 'todo', options: [option('Only my quizzes')] }] },
  ],
});
