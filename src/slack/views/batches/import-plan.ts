import { clip, shortName } from '../../../domain/short-name.ts';
import type { Button } from '@slack/types';
import type { BatchPlan } from '../../../domain/batch.ts';
import type { FileReference } from '../../../operations/services/files.ts';
import { formatFile } from '../../../operations/fields/file.ts';
import { importUsers } from '../../../features/imports/import-users.ts';
import type { ImportedRowKind, ImportSummary } from '../../../domain/import-summary.ts';
import type { PlanPreview } from '../../../operations/operation-result.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { namedList } from '../../../domain/sentence.ts';
import { amount, countOf, say, joinSaid } from '../../../domain/said.ts';
import { footerOf } from './batch-plan.ts';
import { operationButton } from '../blocks/buttons.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { planButtons } from './plan-buttons.ts';
import { section, sections, plain } from '../blocks/mrkdwn.ts';

const problemsAtMost = 5;
const problemLength = 300;
const sourceLength = 80;
const nameLength = 80;

type Count = (count: number) => string;

/** In the order of the message. */
const countLines: Readonly<Record<ImportedRowKind, Count>> = {
  create: (count) => say`➕ *${countOf(count, 'user', 'users')}* would be created`,
  update: (count) => say`✏️ *${countOf(count, 'user', 'users')}* would be updated`,
  same: (count) =>
    count === 1
      ? say`✔️ *${countOf(count, 'person', 'people')}* is already a user`
      : say`✔️ *${countOf(count, 'person', 'people')}* are already users`,
  differs: (count) =>
    say`⏸️ *${countOf(count, 'user', 'users')}* ${count === 1 ? 'differs' : 'differ'} and would stay as they are. To update them, press *Change…*`,
  conflict: (count) =>
    say`⚠️ *${countOf(count, 'row', 'rows')}* ${count === 1 ? 'has' : 'have'} the address of another user`,
  invalid: (count) => say`⚠️ *${countOf(count, 'row', 'rows')}* ${count === 1 ? 'has' : 'have'} a mistake`,
  'no address': (count) => say`⚠️ *${countOf(count, 'row', 'rows')}* ${count === 1 ? 'has' : 'have'} no address`,
  repeated: (count) => say`⚠️ *${countOf(count, 'row', 'rows')}* ${count === 1 ? 'repeats' : 'repeat'} another row`,
  outsider: (count) =>
    count === 1
      ? say`⚠️ *${countOf(count, 'person', 'people')}* is a guest, an outsider or has no address`
      : say`⚠️ *${countOf(count, 'person', 'people')}* are guests, outsiders or have no address`,
};

/** What an import would do, with the buttons that start and change it. For the person who imports alone: it may hold addresses. */
export function importPlanMessage(preview: PlanPreview<BatchPlan>, imported: ImportSummary): Message {
  const { plan, canStart } = preview;
  const { counts, privileged, notices, lacksNames, names = [] } = imported;
  const heading = headingOf(imported, canStart);
  const lines = (Object.keys(countLines) as ImportedRowKind[]).flatMap((kind) =>
    counts[kind] ? [countLines[kind](counts[kind])] : [],
  );
  const count = (counts.create ?? 0) + (counts.update ?? 0);
  const startText = say`Start: ${countOf(count, 'person', 'people')}`;
  return {
    text: joinSaid([heading, ...lines], '\n'),
    blocks: [
      section(heading),
      section(joinSaid(lines, '\n')),
      ...sections(problemLines(imported)),
      ...(names.length > 0 && lacksNames === undefined ? [section(namesText(names))] : []),
      ...(privileged.length > 0
        ? [
            section(
              say`🛡️ ${say`${namedList(privileged, 5)} would be ${privileged.length === 1 ? 'a trainer or administrator' : 'trainers or administrators'}.`}`,
            ),
          ]
        : []),
      ...sections(notices.map((notice) => say`ℹ️ ${clip(notice, problemLength)}`)),
      ...(canStart ? footerOf(plan) : []),
      ...buttonRow(buttonsOf(preview, imported, startText)),
    ],
  };
}

function problemLines({ problems, problemCount = problems.length, hasLines }: ImportSummary): string[] {
  const shown = problems.slice(0, problemsAtMost).map(({ line, person, note }) => {
    const what = clip(note, problemLength);
    if (!hasLines) return say`• ${what}`;
    return person === undefined
      ? say`• Line ${line}: ${what}`
      : say`• Line ${line}, ${shortName(person, nameLength)}: ${what}`;
  });
  const left = problemCount - shown.length;
  return [...shown, ...(left > 0 ? [say`…and ${amount(left)} more. The bot sent you a file with every row.`] : [])];
}

/** Shows how names were read, so that a person sees a wrong one before it is made. */
function namesText(names: NonNullable<ImportSummary['names']>): string {
  const lines = names.map(
    ({ written, first, last }) => say`• “${shortName(written, nameLength)}”: ${firstText(first)}, ${lastText(last)}`,
  );
  return joinSaid([say`👤 How the bot reads the names:`, ...lines], '\n');
}

function firstText(first: string): string {
  return first === '' ? say`no first name` : say`first name *${shortName(first, nameLength)}*`;
}

function lastText(last: string): string {
  return last === '' ? say`no last name` : say`last name *${shortName(last, nameLength)}*`;
}

function buttonsOf(preview: PlanPreview<BatchPlan>, { hasLines, withoutMail = 0 }: ImportSummary, startText: string) {
  const { id, canStart, entered } = preview;
  const buttons = planButtons(preview, { startText, isViewed: false });
  const starting = canStart ? 1 : 0;
  return [
    ...buttons.slice(0, starting),
    ...(canStart && withoutMail > 0 && entered ? mailButton(entered.input) : []),
    ...(hasLines && entered ? [columnsButton(id)] : []),
    ...buttons.slice(starting),
  ];
}

/** Shows the import again, with the passwords in welcome e-mails of the quiz service. */
function mailButton(input: TextInput): Button[] {
  return operationButton('mail', {
    text: say`E-mail passwords`,
    doing: 'replace',
    operation: importUsers,
    raw: { ...input, welcome: ['send'] },
  });
}

/** Asks what the columns hold. Its value is the ID of the plan. */
export const askColumnsAction = 'ask-columns';

function columnsButton(id: string): Button {
  return { type: 'button', action_id: askColumnsAction, text: plain(say`Columns…`), value: id };
}

/** Answers a CSV file that a person sent to the bot. */
export function importOfferMessage(file: FileReference): Message {
  const question = say`Import users from *${shortName(file.name, sourceLength)}*? You see everything first, and nothing changes until you start it.`;
  const raw = { file: [formatFile(file)] };
  const buttons = [
    ...operationButton('preview', {
      text: importUsers.submit,
      doing: 'replace',
      operation: importUsers,
      raw: { ...raw, user_type: ['respondent'] },
      style: 'primary',
    }),
    ...operationButton('import', { text: say`Groups, quizzes and more…`, doing: 'form', operation: importUsers, raw }),
  ];
  return { text: question, blocks: [section(question), { type: 'actions', elements: buttons }] };
}

function headingOf({ source, hasLines, lacksNames }: ImportSummary, hasWork: boolean): string {
  const from = say`*Import from ${shortName(source, sourceLength)}.*`;
  if (lacksNames) {
    const { count, total } = lacksNames;
    const problem =
      count === total
        ? say`⚠️ *The new users would have no name*, so this can’t start.`
        : say`⚠️ *${amount(count)} of ${amount(total)} new users would have no name*, so this can’t start.`;
    const how = say`Press *Columns…* to say which column has the names, or add one to the file.`;
    return joinSaid([problem, ...(hasLines ? [how] : []), from], ' ');
  }
  return hasWork ? say`${from} Nothing has changed yet.` : say`${from} There’s nothing to do.`;
}
