import { byName } from '../domain/record-names.ts';
import type { Campaign, CampaignMember, Obligation } from '../domain/campaign.ts';
import { peopleOf, type PeopleGroup, type Person as Asked } from './people.ts';

/** What a campaign asks of a person. */
export interface MatrixCell {
  campaignId: string;
  obligation: Obligation;
  group: PeopleGroup;
  urgency: Urgency;
}

/** A quiz that a person has to take, or had to. */
export interface QuizObligation {
  quiz: Campaign['quiz'];
  cell: MatrixCell;
}

/** A person, and what they have to do about each quiz of the matrix; undefined where no campaign asks them for it. */
export interface MatrixRow extends Pick<CampaignMember, 'userId' | 'name' | 'groups'> {
  cells: readonly (MatrixCell | undefined)[];
}

/** People × quizzes. What needs something most comes first in both. */
export interface Matrix {
  quizzes: readonly Campaign['quiz'][];
  rows: readonly MatrixRow[];
  /** How many people have at least one such obligation. */
  people: Readonly<Record<'late' | 'soon' | 'expiring' | 'out of reach', number>>;
}

/** How much an obligation needs somebody to do something, the most first. The last four need nothing. */
export const urgencies = [
  'late',
  'soon',
  'expiring',
  'not me',
  'out of reach',
  'due',
  'marking',
  'excused',
  'done',
  'none',
] as const;
export type Urgency = (typeof urgencies)[number];

/** The people of a group, each counted by what they have that needs something most. */
export interface GroupShare {
  /** Undefined: everyone. */
  name: string | undefined;
  /** In the order of `urgencies`. */
  counts: number[];
  people: number;
}

const ranks = Object.fromEntries(urgencies.map((urgency, rank) => [urgency, rank])) as Record<Urgency, number>;

/** What is due within this time is due soon. */
export const dueSoonMs = 7 * 24 * 60 * 60_000;

/** Whether somebody has to do something: the person to take the quiz, or the trainer to answer a “not me”. */
export function needsSomething({ urgency }: MatrixCell): boolean {
  return ranks[urgency] <= ranks.due;
}

/** The people who are late with something, in reach or not, and the quizzes with which they are. */
export function lateOnly({ quizzes, rows }: Matrix): Matrix {
  const isLate = (cell: MatrixCell | undefined) =>
    cell?.obligation.state === 'overdue' || cell?.obligation.state === 'expired';
  const late = rows.filter(({ cells }) => cells.some(isLate));
  const places = [...quizzes.keys()].filter((place) => late.some(({ cells }) => isLate(cells[place])));
  const shown = late.map((row) => ({ ...row, cells: places.map((place) => row.cells[place]) }));
  return { quizzes: places.map((place) => quizzes[place]!), rows: shown, people: countPeople(shown) };
}

/** Everyone, then each group, those first in which most people need something. A person counts in each of their groups. */
export function groupShares({ rows }: Pick<Matrix, 'rows'>): [everyone: GroupShare, ...groups: GroupShare[]] {
  const shareOf = (name?: string): GroupShare => ({ name, counts: urgencies.map(() => 0), people: 0 });
  const everyone = shareOf();
  const groups = new Map<string, GroupShare>();
  for (const { groups: names, cells } of rows) {
    const highest = Math.min(...cells.map((cell) => ranks[cell?.urgency ?? 'none']));
    for (const name of names) if (!groups.has(name)) groups.set(name, shareOf(name));
    for (const share of [everyone, ...names.map((name) => groups.get(name)!)]) {
      share.counts[highest]! += 1;
      share.people += 1;
    }
  }
  const weightOfShare = ({ counts }: GroupShare): Weight => ({ counts, dueAt: 0 });
  return [
    everyone,
    ...[...groups.values()].toSorted(
      (a, b) => compareWeights(weightOfShare(a), weightOfShare(b)) || byName(a.name!, b.name!),
    ),
  ];
}

function countPeople(rows: readonly MatrixRow[]): Matrix['people'] {
  const having = (wanted: Urgency) => rows.filter(({ cells }) => cells.some((cell) => cell?.urgency === wanted)).length;
  return {
    late: having('late'),
    soon: having('soon'),
    expiring: having('expiring'),
    'out of reach': having('out of reach'),
  };
}

/**
 * The obligations in some campaigns as people × quizzes. Where several campaigns ask a person for one quiz, the cell has what needs
 * something most. People of whom nothing is required any more are left out.
 *
 * @param now milliseconds since the epoch
 * @param isShown by user ID; default: everyone
 */
export function matrixOf(
  campaigns: readonly Campaign[],
  now: number,
  isShown: (userId: string) => boolean = () => true,
): Matrix {
  const building = startMatrix(now, isShown);
  for (const campaign of campaigns) building.add(campaign);
  return building.finish();
}

interface Person extends Pick<CampaignMember, 'userId' | 'name' | 'groups'> {
  /** In the order in which quizzes were added. */
  cells: (MatrixCell | undefined)[];
}

/** The same, campaign by campaign: of thousands of people, other work has a turn between two campaigns. */
export function startMatrix(
  now: number,
  isShown: (userId: string) => boolean,
): { add: (campaign: Campaign) => void; finish: () => Matrix } {
  const places = new Map<string, number>();
  const quizzes: Campaign['quiz'][] = [];
  const people = new Map<string, Person>();

  function placeOf(quiz: Campaign['quiz']): number {
    const place = places.get(quiz.id) ?? quizzes.push(quiz) - 1;
    places.set(quiz.id, place);
    return place;
  }

  function personOf({ userId, name, groups }: CampaignMember): Person {
    const known = people.get(userId);
    if (known !== undefined) return known;
    const person: Person = { userId, name, groups, cells: [] };
    people.set(userId, person);
    return person;
  }

  return {
    add(campaign) {
      let place: number | undefined;
      for (const person of peopleOf(campaign, now)) {
        const { member, obligation, group } = person;
        if (!isShown(member.userId) || group === 'not required') continue;
        const cell = { campaignId: campaign.id, obligation, group, urgency: urgencyOf(person, now) };
        const { cells } = personOf(member);
        place ??= placeOf(campaign.quiz);
        const known = cells[place];
        if (known === undefined || compareCells(cell, known) < 0) cells[place] = cell;
      }
    },
    finish() {
      const sorted = [...people.values()]
        .map((person) => ({ person, weight: weightOf(person.cells) }))
        .toSorted((a, b) => compareWeights(a.weight, b.weight) || byName(a.person.name, b.person.name));
      const columns = columnOrder(quizzes, [...people.values()]);
      return {
        quizzes: columns.map((place) => quizzes[place]!),
        rows: sorted.map(({ person }) => ({ ...person, cells: columns.map((place) => person.cells[place]) })),
        people: countPeople(sorted.map(({ person }) => person)),
      };
    },
  };
}

interface Weight {
  /** How many cells there are of each urgency. */
  counts: readonly number[];
  /** The first due time of those of the highest; `never` where they have none. */
  dueAt: number;
}

function weightOf(cells: readonly (MatrixCell | undefined)[]): Weight {
  const counts = urgencies.map(() => 0);
  for (const cell of cells) if (cell) counts[ranks[cell.urgency]]! += 1;
  const highest = counts.findIndex((count) => count > 0);
  let dueAt = never;
  for (const cell of cells) if (cell && ranks[cell.urgency] === highest) dueAt = Math.min(dueAt, dueTimeOf(cell));
  return { counts, dueAt };
}

/** Who has something of the highest urgency comes first; then who has more of it, then who had it due first. */
function compareWeights(a: Weight, b: Weight): number {
  for (let rank = 0; rank <= ranks.due; rank += 1) {
    const [ofA, ofB] = [a.counts[rank]!, b.counts[rank]!];
    if (ofA + ofB > 0) return ofB - ofA || a.dueAt - b.dueAt;
  }
  return 0;
}

function compareCells(a: MatrixCell, b: MatrixCell): number {
  return ranks[a.urgency] - ranks[b.urgency] || dueTimeOf(a) - dueTimeOf(b);
}

/** Infinity less infinity is no number. */
const never = Number.MAX_SAFE_INTEGER;

function dueTimeOf({ obligation: { dueAt = never } }: MatrixCell): number {
  return dueAt;
}

/** The places of the quizzes, those first that most people are late with, then those that most have to do something about. */
function columnOrder(quizzes: readonly Campaign['quiz'][], people: readonly Person[]): number[] {
  const late = quizzes.map(() => 0);
  const needing = quizzes.map(() => 0);
  for (const { cells } of people)
    for (const [place, cell] of cells.entries()) {
      if (cell === undefined) continue;
      if (cell.urgency === 'late') late[place]! += 1;
      if (needsSomething(cell)) needing[place]! += 1;
    }
  return [...quizzes.keys()].toSorted(
    (a, b) => late[b]! - late[a]! || needing[b]! - needing[a]! || byName(quizzes[a]!.name, quizzes[b]!.name),
  );
}

const urgencyOfGroup = {
  overdue: 'late',
  failed: 'due',
  due: 'due',
  expiring: 'expiring',
  'not me': 'not me',
  'out of reach': 'out of reach',
  marking: 'marking',
  excused: 'excused',
  done: 'done',
  'not yet due': 'none',
  'not required': 'none',
} as const satisfies Record<PeopleGroup, Urgency>;

function urgencyOf({ group, obligation: { dueAt = Infinity } }: Asked, now: number): Urgency {
  const urgency = urgencyOfGroup[group];
  return urgency === 'due' && dueAt - now <= dueSoonMs ? 'soon' : urgency;
}
