import { say, countOf, markedDate } from '../../../domain/said.ts';
import { campaignsLike, visibleCampaigns, anyCampaign, visibleRunning } from '../../../operations/fields/campaign.ts';
import { defineOperation, type Operation } from '../../../operations/operation.ts';
import { campaignPage, campaignsPage, type Joiner } from '../pages/show.ts';
import { given, readPage, InvalidInputError, type TextInput } from '../../../operations/text-input.ts';
import { runStep, made, type Step, type DoneResult } from '../../../operations/page.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { publicName } from '../../../directory/names.ts';
import type { User } from '../../../quiz-api/records.ts';
import { matrixPage, type SeenMatrix, yearPage } from '../pages/matrix.ts';
import { matrixPicture } from '../pages/matrix-picture.ts';
import { lateOnly, startMatrix, type Matrix } from '../../../obligations/matrix.ts';
import { wallClock } from '../../../time/wall-clock.ts';
import { csvOrPictureField, outgoingTable } from '../../../operations/table-file.ts';
import type { FileTable } from '../../../operations/services/files.ts';
import { zoneOf, saidTime } from '../../../operations/dates/typed-time.ts';
import { peopleWords, obligationWords } from '../pages/words.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OperationContext } from '../../../operations/context.ts';
import { audienceKind, type AudienceField, type AudiencePart } from '../../../operations/fields/people.ts';
import type { ChoiceField } from '../../../operations/fields/choice.ts';
import type { Fields } from '../../../operations/fields/fields.ts';
import { parseFilter } from '../../../operations/clauses/filter-line.ts';

const pageField = { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true } as const;

/** Each is read from the store. */
const listedAtMost = 40;
/** Those that ended before are listed by name. */
const recentMs = 366 * 24 * 60 * 60_000;

export const listCampaigns = defineOperation({
  name: 'list-campaigns',
  command: '/quiz-campaign list [filter]',
  synonyms: ['ls', 'campaigns'],
  summary: 'List the campaigns that run, and those of the last year; with the name of a quiz, all of them',
  title: say`Campaigns`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'List',
  fields: { filter: { kind: 'text', label: 'Part of a quiz’s name', maxLength: 250, optional: true } },
  async run(context, { filter = '' }) {
    const now = context.now();
    const all = await visibleCampaigns(context);
    const wanted =
      filter === '' ? all.filter(({ endedAt }) => (endedAt ?? now) > now - recentMs) : campaignsLike(all, filter);
    const visible = wanted.toSorted((a, b) => Number(a.endedAt !== null) - Number(b.endedAt !== null));
    const campaigns = await Promise.all(visible.slice(0, listedAtMost).map(({ id }) => context.campaigns.byId(id)));
    return {
      kind: 'page',
      ...campaignsPage(
        campaigns.filter((campaign) => campaign !== undefined),
        {
          filter,
          left: Math.max(0, visible.length - listedAtMost),
          earlier: filter === '' ? all.length - visible.length : 0,
          now,
        },
      ),
    };
  },
});

export const showCampaign = defineOperation({
  name: 'show-campaign',
  command: '/quiz-campaign show <campaign>',
  synonyms: ['status', 'info', 'view', 'progress'],
  summary: 'Show a campaign with everyone in it and how far they are',
  isCommon: true,
  buttons: { campaign: [{ label: 'View', in: ['list'], position: 1 }] },
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  fields: {
    campaign: anyCampaign,
    page: pageField,
  },
  async run({ directory, visibility, call, now, timeZone, platform }, { campaign, page }) {
    // A campaign that stands takes in by itself who joins it.
    const hasJoiners = campaign.endedAt === null && campaign.rule.standing === null;
    const users = hasJoiners ? await directory.users.get(call) : [];
    const joined = joinersOf(campaign, users.filter(visibility.userByName));
    const reading = { now: now(), timeZone, platform: platform.name };
    return { kind: 'page', ...campaignPage(campaign, { joined, page: readPage(page), ...reading }) };
  },
});

/** A button that shows a campaign. */
export function viewStep(campaignId: string): Step {
  return runStep(say`View campaign`, showCampaign, { campaign: [campaignId] });
}

/**
 * Who has joined the groups that were named at the start, in the order of the account.
 *
 * @param users all users of the account
 */
function joinersOf(campaign: Pick<Campaign, 'audience' | 'members' | 'leftOut'>, users: readonly User[]): Joiner[] {
  const groups = groupsNamed(campaign);
  if (groups.size === 0) return [];
  const known = new Set([...campaign.members.map(({ userId }) => userId), ...campaign.leftOut]);
  return users
    .filter(
      (user) => !user.suspended && !known.has(user.user_id) && user.groups.some(({ group_id }) => groups.has(group_id)),
    )
    .map((user) => ({ userId: user.user_id, name: publicName(user) }));
}

/** IDs of the groups of the account that were named. */
function groupsNamed({ audience }: Pick<Campaign, 'audience'>): ReadonlySet<string> {
  return new Set(audience.flatMap((part) => (part.startsWith('group:') ? [part.slice('group:'.length)] : [])));
}

/** For whom the matrix is shown. */
const matrixPeople = {
  kind: 'audience',
  from: 'account',
  label: 'Users and groups',
  hint: 'Only these people. Leave empty for everyone.',
  optional: true,
  clause: { words: ['for', 'of', 'in'], example: say`for Kitchen, @rosa` },
} as const satisfies AudienceField;

/** Whom and what the matrix leaves out. */
const onlyField = {
  kind: 'choice',
  label: 'Only',
  options: [{ value: 'overdue', label: 'Overdue' }],
  optional: true,
  clause: { words: [], example: 'overdue', standsAlone: true },
} as const satisfies ChoiceField;

/** Who has to take what, in all campaigns that run and that the person sees. */
export const showMatrix: Operation = defineOperation({
  name: 'show-matrix',
  command: '/quiz-campaign matrix [for people] [overdue]',
  synonyms: ['everyone', 'obligations'],
  summary:
    'Show who has to take which quiz, and by when, in all campaigns: overdue, or for Kitchen; picture sends a picture, csv a plain file',
  hintForAgents:
    'Costs the quiz service nothing. To remind or excuse people in all their campaigns, use remind-campaign and excuse-campaign without a campaign.',
  title: say`Training matrix`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  fields: {
    people: matrixPeople,
    only: onlyField,
    csv: csvOrPictureField,
    page: pageField,
    columns: { ...pageField, label: 'Page of quizzes' },
  },
  parse: (line) => parsePeople(line, showMatrix.fields),
  async run(context, { people, only, csv, page, columns }) {
    if (csv !== undefined) return sendMatrix(context, { people, only, csv });
    return {
      kind: 'page',
      ...matrixPage({
        ...(await seenMatrix(context, people, only)),
        people,
        only,
        page: readPage(page),
        columns: readPage(columns),
        now: context.now(),
        timeZone: context.timeZone,
      }),
    };
  },
});

export const exportMatrix = defineOperation({
  name: 'export-matrix',
  command: '/quiz-campaign matrix-csv [people]',
  summary: 'Get the training matrix as an Excel file, in a direct message',
  title: say`Training matrix`,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Send',
  isTyped: false,
  forPeopleOnly: true,
  fields: { people: matrixPeople, only: onlyField, csv: csvOrPictureField },
  run: sendMatrix,
});

async function sendMatrix(
  context: OperationContext,
  {
    people,
    only,
    csv,
  }: { people: readonly AudiencePart[] | undefined; only: string | undefined; csv: string | undefined },
): Promise<DoneResult> {
  const { matrix } = await seenMatrix(context, people, only);
  const { rows, quizzes } = matrix;
  if (rows.length === 0)
    throw new InvalidInputError('people', say`None of these people is in a campaign that runs and that you can see.`);
  const timeZone = zoneOf(context);
  const [who, what] = [peopleWords(rows.length), countOf(quizzes.length, 'quiz', 'quizzes')];
  const nowMs = context.now();
  const heading = say`Training matrix: ${who} and ${what}, as of ${saidTime(nowMs, { nowMs, timeZone })}`;
  const content =
    csv === 'picture'
      ? matrixPicture(matrix, { heading, now: nowMs, timeZone })
      : outgoingTable(context, matrixTable(matrix, csv === undefined ? timeZone : context.timeZone), csv);
  await context.sendFile({ name: say`Training matrix`, comment: heading, content });
  return made(say`Sent you ${who} and ${what}. The file is in your direct messages.`);
}

/** A row for each person. Empty where no campaign asks the person for the quiz. Days are those of the zone. */
function matrixTable({ quizzes, rows }: Matrix, timeZone: string): FileTable {
  const clock = wallClock(timeZone);
  const dayOf = (atMs: number) => {
    const isoDay = new Date(clock.shownAt(atMs)).toISOString().slice(0, 'yyyy-MM-dd'.length);
    return markedDate(isoDay, { form: 'day', atMs, zone: timeZone });
  };
  const titles = [say`Person`, say`Groups`, ...quizzes.map(({ name }) => name)];
  return {
    columns: titles.map((title) => ({ title, kind: 'text' })),
    parts: [
      rows.map(({ name, groups, cells }) => [
        name,
        groups.join(', '),
        ...cells.map((cell) => (cell === undefined ? '' : obligationWords(cell.obligation, dayOf))),
      ]),
    ],
  };
}

/** What the reader sees of it. Reads the store alone: the service is not asked for anything. */
async function seenMatrix(
  context: OperationContext,
  people: readonly AudiencePart[] | undefined,
  only?: string,
): Promise<SeenMatrix> {
  const named = people && new Set(people.flatMap((part) => part.people.map(({ userId }) => userId)));
  const building = startMatrix(context.now(), (userId) => named?.has(userId) ?? true);
  for (const campaign of await visibleRunning(context)) {
    building.add(campaign);
    await nextTurn();
  }
  const matrix = building.finish();
  const absent = named === undefined ? 0 : named.size - matrix.rows.length;
  return { matrix: only === 'overdue' ? lateOnly(matrix) : matrix, absent };
}

/** Reads `for Kitchen, Rosa`, `overdue for Kitchen` and `Kitchen overdue`; “overdue” and “in” can also be part of a name. */
function parsePeople(line: string, fields: Fields): [TextInput, ...TextInput[]] {
  const [asFilter] = parseFilter(line, fields, { name: 'people' });
  return [asFilter, given({ people: audienceKind.split(line, matrixPeople) })];
}

/** What comes in the next twelve months, in all campaigns that run and that the person sees. */
export const showYear = defineOperation({
  name: 'show-year',
  command: '/quiz-campaign year [for people]',
  synonyms: ['calendar', 'gaps', 'expiring'],
  summary: 'Show what is due and what expires in the next twelve months, and from when on nobody has a pass',
  hintForAgents:
    'Costs the quiz service nothing. Counts people month by month and quiz by quiz; show-matrix says who they are.',
  title: say`The next twelve months`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  fields: { people: matrixPeople, columns: { ...pageField, label: 'Page of quizzes' } },
  parse: (line) => parsePeople(line, { people: matrixPeople }),
  async run(context, { people, columns }) {
    const seen = await seenMatrix(context, people);
    const shown = { people, columns: readPage(columns), now: context.now(), timeZone: context.timeZone };
    return { kind: 'page', ...yearPage({ ...seen, ...shown }) };
  },
});
