import { textMessage, type Message, plain, buttonRow } from '../views/blocks/message.ts';
import type { KnownBlock, ModalView } from '@slack/types';
import { say, asSaid } from '../../domain/said.ts';
import { reasonFor } from '../../governance/rights/policy.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Page } from '../../operations/page.ts';
import { drawPage } from '../views/blocks/page.ts';
import type { Field, Fields, Value } from '../../operations/fields/fields.ts';
import { isInstant, type TextField } from '../../operations/fields/text.ts';
import { confirmationField, reasonField, type TextInput } from '../../operations/text-input.ts';
import { formatMention } from '../../operations/typed-text.ts';
import type { Memory, SubmittedValues } from '../in/delivery.ts';
import { inputActionId, inputBlock, textsIn, type FormReader } from './inputs.ts';

/** What a form shows besides its operation. */
export interface FormContent {
  /** What its inputs hold. */
  texts?: TextInput;
  /** What the texts of pickers mean, where they mean something. */
  values?: Readonly<Record<string, Value>>;
  /** Shown above the fields. */
  notice?: string | undefined;
  /** What can go wrong, as a sentence (`domain/said.ts`), and the confirmation that a person sends to run the operation all the same. */
  warning?: { message: string; confirmation: string } | undefined;
  /** Whether **More…** was pressed. */
  isFull?: boolean | undefined;
}

/** The action ID of **More…**. */
export const moreActionId = 'more';

/** The form of an operation. */
export function formView(operation: Operation, reader: FormReader, content: FormContent = {}): ModalView {
  const { texts = {}, values = {}, notice, warning, isFull } = content;
  const shown = shownFields(operation.fields, texts, isFull);
  const hasMore = Object.entries(operation.fields).some(
    ([name, { isMore }]) => isMore && !shown.some(([one]) => one === name),
  );
  const asking = reasonFor(operation, reader.rights, values);
  return {
    type: 'modal',
    callback_id: operation.name,
    title: plain(asSaid(formTitle(operation))),
    submit: plain(asSaid(asking === 'required' ? say`Request approval` : operation.submit)),
    close: plain(say`Cancel`),
    blocks: [
      ...(notice === undefined ? [] : textMessage('⚠️', notice).blocks),
      ...shown.flatMap(([name, field]) => {
        const held = { texts: texts[name], value: values[name] };
        if (field.kind === 'text' && field.isPicked) return pickedInputs(name, field, reader, held, isFull);
        return inputBlock(name, field, reader, held, isChooser(name, operation.fields));
      }),
      ...(hasMore && !isFull ? buttonRow([{ type: 'button', action_id: moreActionId, text: plain(say`More…`) }]) : []),
      ...(asking === 'none'
        ? []
        : inputBlock(reasonField, reasonInput(asking === 'required'), reader, { texts: texts[reasonField] })),
      ...(warning === undefined ? [] : warningBlocks(warning)),
    ],
  };
}

/** The form in which an operation asks for more, below what its page says. Its buttons are for where no form opens. */
export function askedView(
  operation: Operation,
  page: Page,
  { fields, submit }: NonNullable<Page['ask']>,
  reader: FormReader,
): ModalView {
  const form = formView({ ...operation, fields, submit }, reader);
  return { ...form, blocks: [...drawPage({ ...page, steps: [] }).blocks, ...form.blocks] };
}

/** The fields that have an input while the form holds this, as the form calls them: those behind **More…** come last. */
export function shownFields(fields: Fields, texts: TextInput, isFull = false): [name: string, field: Field][] {
  const { first = [], more = [] } = Object.groupBy(Object.entries(fields), ([, { isMore }]) =>
    isMore ? 'more' : 'first',
  );
  return [...first, ...more].flatMap(([name, field]): [string, Field][] => {
    const { typedOnly, shownWhen, labelWhen = {}, isMore } = field;
    if (typedOnly || (isMore && !isFull && texts[name] === undefined)) return [];
    if (shownWhen === undefined) return [[name, field]];
    const chooser = fields[shownWhen.field];
    const usual = chooser?.kind === 'choice' && chooser.usual !== undefined ? [chooser.usual] : [];
    const chosen = (texts[shownWhen.field] ?? usual).find((text) => shownWhen.is.includes(text));
    return chosen === undefined ? [] : [[name, { ...field, ...labelWhen[chosen] }]];
  });
}

/** A time to pick, which the form asks for; in the whole form it can be typed as well, or left out. */
function pickedInputs(
  name: string,
  { optional, ...field }: TextField,
  reader: FormReader,
  held: Parameters<typeof inputBlock>[3],
  isFull = false,
): KnownBlock[] {
  if (!isFull) return inputBlock(name, field, reader, held);
  const isTyped = held.texts?.some((text) => !isInstant(text)) ?? false;
  const typed = { ...field, optional: true, isPicked: undefined, label: 'Or type it' } as const;
  return [
    ...inputBlock(name, { ...field, optional: true }, reader, isTyped ? { texts: undefined } : held),
    ...inputBlock(`${name} typed`, typed, reader, isTyped ? held : { texts: undefined }),
  ];
}

/** Whether other fields apply or not by what this one holds. */
function isChooser(name: string, fields: Fields): boolean {
  return Object.values(fields).some(({ shownWhen }) => shownWhen?.field === name);
}

function reasonInput(isRequired: boolean): TextField {
  return {
    kind: 'text',
    label: 'Why do you want this?',
    maxLength: 1_000,
    ...(isRequired
      ? { hint: 'This needs approval. The reviewers see your reason.' }
      : { hint: 'Required if this needs approval. The reviewers see your reason.', optional: true }),
  };
}

/** The input is optional: a person can choose something else instead. */
function warningBlocks({ message, confirmation }: NonNullable<FormContent['warning']>): KnownBlock[] {
  return [
    ...textMessage('⚠️', message).blocks,
    {
      type: 'input',
      block_id: confirmationBlockId(confirmation),
      label: plain(say`Go on?`),
      optional: true,
      element: {
        type: 'checkboxes',
        action_id: inputActionId,
        options: [{ text: plain(say`Do it all the same`), value: confirmation }],
      },
    },
  ];
}

/** Another warning is another input, in which nothing is ticked yet. */
export function confirmationBlockId(confirmation: string): string {
  return `${confirmationField} ${confirmation}`;
}

/** Reads a submitted form. The block ID of an input begins with the name of its field: a field can have several. */
export function readForm({ fields }: Pick<Operation, 'fields'>, values: SubmittedValues): TextInput {
  const names = [...Object.keys(fields), reasonField, confirmationField];
  return Object.fromEntries(
    names.flatMap((name): [string, string[]][] => {
      const texts = Object.entries(values).flatMap(([id, { [inputActionId]: input }]) =>
        input && id.split(' ')[0] === name ? textsIn(input) : [],
      );
      return texts.length > 0 ? [[name, texts]] : [];
    }),
  );
}

/** The default values that follow from the channel in which the form opens. */
export function inputFromPlace({ fields }: Operation, channelId: string | undefined): TextInput {
  if (channelId === undefined) return {};
  const here = [formatMention({ kind: 'channel', id: channelId })];
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { kind }]) => (kind === 'channel' ? [[name, here]] : [])),
  );
}

/** Slack's limit for `private_metadata`. */
const longestMemory = 3_000;

/** The view with what it remembers; where that is too long, with the place alone. */
export function remember(view: ModalView, { place, hidden = {}, before, isFull }: Memory): ModalView {
  const whole = JSON.stringify({
    place,
    isFull,
    ...(Object.keys(hidden).length > 0 && { hidden }),
    ...(before && { before }),
  });
  return whole === '{}'
    ? view
    : { ...view, private_metadata: whole.length <= longestMemory ? whole : JSON.stringify({ place }) };
}

/** A modal without a form: the answer to one, or why there is none. */
export function messageView(operation: Operation, message: Message): ModalView {
  return modal(operation, message.plain ?? message.blocks);
}

/** Said to a person who has waited for two seconds where others read large results first. */
export const othersFirst = say`Others are reading large results; yours comes next.`;

/** Shown until the quiz service answers. @param isQueued whether others read large results first */
export function waitingView(operation: Operation, isQueued = false): ModalView {
  return modal(operation, textMessage('⏳', isQueued ? othersFirst : say`Asking the quiz service…`).blocks);
}

function modal(operation: Operation, blocks: KnownBlock[]): ModalView {
  return { type: 'modal', title: plain(asSaid(formTitle(operation))), close: plain(say`Close`), blocks };
}

/** `close-quiz` as “Close quiz”, unless the operation has a title of its own. */
export function formTitle({ name, title }: Operation): string {
  const words = name.replaceAll('-', ' ');
  return title ?? words.charAt(0).toUpperCase() + words.slice(1);
}
