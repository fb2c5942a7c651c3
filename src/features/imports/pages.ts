import type { ImportedRowKind, ImportSummary, BatchPlan } from '../../domain/batch.ts';
import { amount, asSaid, countOf, joinSaid, say, namedList, clip, shortName } from '../../domain/said.ts';
import { formatFile } from '../../operations/fields/file.ts';
import { formStep, replaceStep, runStep, type Item, type Page, type Step } from '../../operations/page.ts';
import { planSteps, type Shown } from '../../operations/define-plan.ts';
import type { FileReference } from '../../operations/services/files.ts';
import { importUsers } from './import-users.ts';

const problemsAtMost = 5;
/** Where there is no file, all are shown. */
const problemsOfFew = 10;
/** A note holds what stands in a cell. */
const longestNote = 300;
const longestName = 80;

/** In the order of the page. */
const countLines: Readonly<Record<ImportedRowKind, (count: number) => string>> = {
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
      ? say`⚠️ *${countOf(count, 'person', 'people')}* is deactivated, a guest, an outsider or has no address`
      : say`⚠️ *${countOf(count, 'person', 'people')}* are deactivated, guests, outsiders or have no address`,
  gone: (count) =>
    count === 1
      ? say`🚪 *${countOf(count, 'person', 'people')}* has left, is suspended, a guest or a bot by the file, and isn’t created or updated`
      : say`🚪 *${countOf(count, 'person', 'people')}* have left, are suspended, guests or bots by the file, and aren’t created or updated`,
};

/** What an import would do, with the buttons that start and change it. For the person who imports alone: it may hold addresses. */
export function importPlanPage(plan: BatchPlan, imported: ImportSummary, shown: Shown): Page {
  const { counts, privileged, notices, lacksNames, names = [], people = [] } = imported;
  const heading = headingOf(imported, shown.canStart);
  const lines = (Object.keys(countLines) as ImportedRowKind[]).flatMap((kind) =>
    counts[kind] ? [joinSaid([countLines[kind](counts[kind]), ...peopleOf(kind)], ' · ')] : [],
  );
  const started = countOf((counts.create ?? 0) + (counts.update ?? 0), 'person', 'people');
  return {
    heading,
    notification: joinSaid([heading, ...lines], '\n'),
    parts: [
      { lines },
      { lines: problemLines(imported) },
      { items: goneItems(imported) },
      { lines: lacksNames === undefined ? nameLines(names) : [] },
      {
        lines: [
          privileged.length > 0 &&
            say`🛡️ ${say`${namedList(privileged, 5)} would be ${privileged.length === 1 ? 'a trainer or administrator' : 'trainers or administrators'}.`}`,
          ...notices.map((notice) => say`ℹ️ ${clip(notice, longestNote)}`),
        ],
      },
    ],
    steps: stepsOf(planSteps(plan, shown, { startText: say`Start: ${started}`, isViewed: false }), imported, shown),
  };

  function peopleOf(kind: ImportedRowKind): string[] {
    const own = people.filter((each) => each.kind === kind).map(({ person }) => person);
    return own.length === 0 ? [] : [namedList(own)];
  }
}

function problemLines({ problems, problemCount = problems.length, hasLines, people }: ImportSummary): string[] {
  const shown = problems.slice(0, people ? problemsOfFew : problemsAtMost).map((row) => problemLine(row, hasLines));
  const left = problemCount - shown.length;
  return [...shown, ...(left > 0 ? [say`…and ${amount(left)} more. The bot sent you a file with every row.`] : [])];
}

function problemLine({ line, person, note }: ImportSummary['problems'][number], hasLines: boolean): string {
  const what = clip(note, longestNote);
  if (!hasLines) return say`• ${what}`;
  return person === undefined
    ? say`• Line ${line}: ${what}`
    : say`• Line ${line}, ${shortName(person, longestName)}: ${what}`;
}

/** Those whom the file says are gone, with **Suspend…** beside users who still can sign in. */
function goneItems({ gone = [], counts, people }: ImportSummary): Item[] {
  const shown = gone.slice(0, people ? problemsOfFew : problemsAtMost).map(({ suspend, ...row }): Item => ({
    line: problemLine(row, true),
    steps: suspend === undefined ? undefined : [formStep(say`Suspend…`, { name: 'suspend-user' }, { user: [suspend] })],
  }));
  const left = (counts.gone ?? 0) - shown.length;
  return left > 0
    ? [...shown, { line: say`…and ${amount(left)} more. The bot sent you a file with every row.` }]
    : shown;
}

/** Shows how names were read, so that a person sees a wrong one before it is made. */
function nameLines(names: NonNullable<ImportSummary['names']>): string[] {
  if (names.length === 0) return [];
  const lines = names.map(
    ({ written, first, last }) => say`• “${shortName(written, longestName)}”: ${firstText(first)}, ${lastText(last)}`,
  );
  return [say`👤 How the bot reads the names:`, ...lines];
}

function firstText(first: string): string {
  return first === '' ? say`no first name` : say`first name *${shortName(first, longestName)}*`;
}

function lastText(last: string): string {
  return last === '' ? say`no last name` : say`last name *${shortName(last, longestName)}*`;
}

/** **E-mail passwords** shows the import again, with the passwords in welcome e-mails of the quiz service. */
function stepsOf(
  steps: readonly Step[],
  { hasLines, withoutMail = 0 }: ImportSummary,
  { id, canStart, entered }: Shown,
): Step[] {
  const starting = canStart ? 1 : 0;
  return [
    ...steps.slice(0, starting),
    ...(canStart && withoutMail > 0 && entered
      ? [replaceStep(say`E-mail passwords`, importUsers, { ...entered.input, welcome: ['send'] })]
      : []),
    ...(hasLines && entered ? [formStep(say`Columns…`, importUsers, { plan: [id], columns: ['ask'] })] : []),
    ...steps.slice(starting),
  ];
}

/** Answers the lists in a message to the bot. */
export function importOfferPage(files: readonly FileReference[]): Page {
  const offers = files.map((file) => {
    const input = { file: [formatFile(file)] };
    return {
      name: shortName(file.name, longestName),
      input: { ...input, user_type: ['respondent'] },
      more: formStep(say`Groups, quizzes and more…`, importUsers, input),
    };
  });
  const [only] = offers.length === 1 ? offers : [];
  if (only)
    return {
      heading: say`Import users from *${only.name}*? You see everything first, and nothing changes until you start it.`,
      steps: [{ ...replaceStep(importUsers.submit, importUsers, only.input), style: 'primary' }, only.more],
    };
  return {
    heading: say`This message has ${amount(offers.length)} lists. Which one do you want to import users from? You see everything first, and nothing changes until you start it.`,
    parts: [
      {
        items: offers.map(({ name, input, more }) => ({
          line: say`*${name}*`,
          steps: [runStep(importUsers.submit, importUsers, input), more].map((step) => ({
            ...step,
            spoken: `${asSaid(step.label)} ${name}`,
          })),
        })),
        buttonsBelow: true,
      },
    ],
  };
}

function headingOf({ source, hasLines, lacksNames }: ImportSummary, hasWork: boolean): string {
  const from = say`*Import from ${shortName(source, longestName)}.*`;
  if (lacksNames) {
    const { count, total } = lacksNames;
    const problem =
      count === total
        ? say`⚠️ *The new users would have no name*, so this can’t start.`
        : say`⚠️ *${amount(count)} of ${amount(total)} new users would have no name*, so this can’t start.`;
    const how = say`Press *Columns…* to say which column has the names, or add one to the file.`;
    return joinSaid([problem, hasLines && how, from], ' ');
  }
  return hasWork ? say`${from} Nothing has changed yet.` : say`${from} There’s nothing to do.`;
}
