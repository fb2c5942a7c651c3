import type { BatchPlan } from '../../../domain/batch.ts';
import type { FileReference } from '../../../operations/context.ts';
import { formatFile } from '../../../operations/fields/file.ts';
import { importUsers } from '../../../features/imports/import-users.ts';
import type { ImportedRowKind, ImportSummary, PlanPreview } from '../../../operations/operation-result.ts';
import { namedList } from '../../../domain/sentence.ts';
import { countOf } from '../blocks/amounts.ts';
import { footerOf } from './batch-plan.ts';
import { operationButton } from '../blocks/buttons.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { planButtons } from './plan-buttons.ts';
import {
  joinMrkdwn,
  md,
  notification,
  section,
  sections,
  sentenceMrkdwn,
  shortName,
  type Mrkdwn,
} from '../blocks/mrkdwn.ts';

const problemsAtMost = 5;
const problemLength = 300;
const sourceLength = 80;

type Count = (count: number) => Mrkdwn;

/** In the order of the message. */
const countLines: Readonly<Record<ImportedRowKind, Count>> = {
  create: (count) => md`➕ *${countOf(count, 'user', 'users')}* would be created`,
  update: (count) => md`✏️ *${countOf(count, 'user', 'users')}* would be updated`,
  same: (count) =>
    md`✔️ *${countOf(count, 'person', 'people')}* ${count === 1 ? 'is already a user' : 'are already users'}`,
  differs: (count) =>
    md`⏸️ *${countOf(count, 'user', 'users')}* ${count === 1 ? 'differs' : 'differ'} and would stay as they are. To update them, press *Change…*`,
  conflict: (count) =>
    md`⚠️ *${countOf(count, 'row', 'rows')}* ${count === 1 ? 'has' : 'have'} the address of another user`,
  invalid: (count) => md`⚠️ *${countOf(count, 'row', 'rows')}* ${count === 1 ? 'has' : 'have'} a mistake`,
  'no address': (count) => md`⚠️ *${countOf(count, 'row', 'rows')}* ${count === 1 ? 'has' : 'have'} no address`,
  repeated: (count) => md`⚠️ *${countOf(count, 'row', 'rows')}* ${count === 1 ? 'repeats' : 'repeat'} another row`,
  outsider: (count) =>
    md`⚠️ *${countOf(count, 'person', 'people')}* ${count === 1 ? 'is a guest, an outsider or has' : 'are guests, outsiders or have'} no address`,
};

/** What an import would do, with the buttons that start and change it. For the person who imports alone: it may hold addresses. */
export function importPlanMessage(preview: PlanPreview<BatchPlan>, imported: ImportSummary): Message {
  const { plan, canStart } = preview;
  const { source, hasLines, counts, problems, privileged, notices } = imported;
  const heading = headingOf(shortName(source, sourceLength), canStart);
  const lines = (Object.keys(countLines) as ImportedRowKind[]).flatMap((kind) =>
    counts[kind] ? [countLines[kind](counts[kind])] : [],
  );
  const shown = problems
    .slice(0, problemsAtMost)
    .map(({ line, note }) => md`• ${hasLines ? `Line ${line}: ` : ''}${sentenceMrkdwn(note, problemLength)}`);
  const left = problems.length - shown.length;
  const count = (counts.create ?? 0) + (counts.update ?? 0);
  const startText = `Start: ${countOf(count, 'person', 'people')}`;
  return {
    text: notification(joinMrkdwn([heading, ...lines], '\n')),
    blocks: [
      section(heading),
      section(joinMrkdwn(lines, '\n')),
      ...sections([
        ...shown,
        ...(left > 0 ? [md`…and ${left.toLocaleString('en')} more. The bot sent you a file with every row.`] : []),
      ]),
      ...(privileged.length > 0
        ? [
            section(
              md`🛡️ ${sentenceMrkdwn(`${namedList(privileged, 5)} would be ${privileged.length === 1 ? 'a trainer or administrator' : 'trainers or administrators'}.`)}`,
            ),
          ]
        : []),
      ...sections(notices.map((notice) => md`ℹ️ ${sentenceMrkdwn(notice, problemLength)}`)),
      ...(canStart ? footerOf(plan) : []),
      ...buttonRow(planButtons(preview, { startText, isViewed: false })),
    ],
  };
}

/** Answers a CSV file that a person sent to the bot. */
export function importOfferMessage(file: FileReference): Message {
  const question = md`Import users from *${shortName(file.name, sourceLength)}*? You see everything first, and nothing changes until you start it.`;
  const buttons = operationButton('import', {
    text: 'Import these users…',
    doing: 'form',
    operation: importUsers,
    raw: { file: [formatFile(file)] },
    style: 'primary',
  });
  return { text: notification(question), blocks: [section(question), { type: 'actions', elements: buttons }] };
}

function headingOf(source: string, hasWork: boolean): Mrkdwn {
  return hasWork
    ? md`*Import from ${source}.* Nothing has changed yet.`
    : md`*Import from ${source}.* There’s nothing to do.`;
}
