import type { SetPassword } from './place.ts';
import { tokensInLog } from './proofs.ts';
import type { Violation } from './judge.ts';
import {
  hasQuiz,
  managesGroup,
  managesUser,
  namesGroup,
  namesUser,
  quizUserOf,
  seesPersonalData,
  seesQuiz,
  standingOf,
} from './rules.ts';
import { approvalsChannel, type SeenText } from './slack.ts';
import type { Stage } from './stage.ts';
import type { Row, State, UserState } from './state.ts';
import {
  handleOfSlackId,
  cohortOfId,
  type Cohort,
  type SlackPerson,
  type Canary,
  channelHandles,
  cohortOfSlackId,
  personHandles,
  type Tenant,
} from './cohort.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A state that has the people of a cohort and the records of another, which can be the same. */
const joined = (people: State, records: State): State => ({
  ...records,
  users: new Map([...records.users, ...people.users]),
  people: people.people,
});

/** A person as Slack had them at each moment. */
function personsOf(states: readonly State[], personId: string): SlackPerson[] {
  return [...new Set(states.flatMap(({ people }) => people.get(personId) ?? []))];
}

const withEach = (persons: readonly SlackPerson[], state: State): State[] =>
  persons.map((person) => ({ ...state, people: new Map(state.people).set(person.id, person) }));

/** People who edit quizzes see what the channel they are in is subscribed to. */
const isOfAlerts = ({ subscriptions }: State, word: string) =>
  [...subscriptions.values()].some(({ quiz_name }) => String(quiz_name).toLowerCase().includes(word));

/** The page of a user has all their quizzes, for the people who manage them. An agent reads its lines without marks. */
const isOfUser = (text: string) => /\*Quizzes\*|"Quizzes\\*"/.test(text);

/** Whether a person in this state may read what a canary stands for. */
function mayRead(
  { word, canary: { kind, recordId, userId } }: { word: string; canary: Canary },
  { reader: personId, text }: SeenText,
  { state, leads }: { state: State; leads: readonly Row[] },
): boolean {
  const standing = standingOf(state, personId);
  const isOwn = (id: string | undefined) => id !== undefined && standing.user?.user_id === id;
  const user = quizUserOf(state, state.people.get(personId));
  const target: UserState | undefined = state.users.get(recordId);
  switch (kind) {
    case 'quiz':
      // Trainers get messages about quizzes that are assigned to them, too, and see the campaigns that they lead. Who is
      // suspended has the quiz as well, and the message once they no longer are.
      return (
        seesQuiz(state, standing, recordId) ||
        (user !== undefined && hasQuiz(state, user, recordId)) ||
        leads.some(({ quiz_id, user_id }) => quiz_id === recordId && user_id === standing.user?.user_id) ||
        (standing.edits && isOfAlerts(state, word)) ||
        (standing.managesUsers && isOfUser(text))
      );
    case 'group':
      // The trail of changes is for administrators.
      if (standing.isAdministrator) return true;
      // The page of a quiz names its groups, the page of a user theirs.
      return (
        namesGroup(standing, recordId) ||
        managesGroup(standing, recordId) ||
        standing.managesUsers ||
        [...state.quizzes.keys()].some(
          (quiz) => state.groupQuizzes.has(`${recordId} ${quiz}`) && seesQuiz(state, standing, quiz),
        )
      );
    case 'user':
      // Administrators can ask to delete any attempt, by the name of its respondent.
      return isOwn(recordId) || standing.isAdministrator || (target ? namesUser(standing, target) : standing.isStaff);
    case 'address':
      return isOwn(recordId) || (target ? managesUser(standing, target) : standing.managesUsers);
    case 'notes':
      return target ? managesUser(standing, target) : standing.managesUsers;
    case 'attempt':
      return isOwn(userId) || seesPersonalData(standing, recordId);
  }
}

/**
 * The leaks in what people of a cohort read: canaries of records that they could see at no moment of the sequence. Rights of
 * reading may be minutes old in the bot, so that a right which a person lost counts until the end. The groups of a quiz may be
 * an hour old (docs/decisions.md), so that those of any moment go with the members of any other. So does what Slack says of a
 * person with what the account says of them: the bot asks each in its own time.
 */
export function leaksIn(
  stage: Pick<Stage, 'canaries' | 'journal' | 'passwords' | 'typed' | 'places' | 'placeOf' | 'tenantOf'>,
  cohort: Cohort,
  seenTexts: readonly SeenText[],
): Violation[] {
  const { canaries, journal } = stage;
  const history = journal.states(cohort.number, 0, Infinity);
  const groupQuizzes = new Set(history.flatMap((state) => [...state.groupQuizzes]));
  const states = history.map((state) => ({ ...state, groupQuizzes }));
  const leads = stage.placeOf(cohort).store.campaignLeads(cohort.number);
  const found: Violation[] = [];
  for (const seenText of seenTexts) {
    const { reader, text } = seenText;
    found.push(...secretsIn(stage, text, `to ${reader}`), ...passwordsIn(stage.passwords, seenText));
    if (reader === approvalsChannel) continue;
    for (const { word, canary } of canaries.in(text)) {
      // What is another tenant's is judged apart.
      if (stage.tenantOf(cohortOfId(canary.recordId)) !== cohort.tenant) continue;
      const about = journal.state(cohortOfId(canary.recordId) ?? cohort.number);
      if (stage.typed.get(reader)?.includes(word)) continue;
      const mayReadIn = (state: State) =>
        mayRead({ word, canary }, seenText, {
          state: joined(state, cohortOfId(canary.recordId) === cohort.number ? state : about),
          leads,
        });
      if (
        states.some(mayReadIn) ||
        states.flatMap((state) => withEach(personsOf(states, reader), state)).some(mayReadIn)
      )
        continue;
      const at = text.toLowerCase().indexOf(word);
      found.push({
        rule: 'leak',
        message: `${handleOfSlackId(reader)?.handle ?? reader} reads the ${canary.kind} of ${canary.recordId}: …${text.slice(Math.max(0, at - 160), at + 60)}…`,
      });
    }
  }
  return found;
}

/** Secrets of the configuration, in what anybody reads or in the log. */
function secretsIn({ places }: Pick<Stage, 'places'>, text: string, where: string): Violation[] {
  return places.flatMap(({ tenant }) =>
    Object.entries(tenant.secrets).flatMap(([name, secret]) =>
      text.includes(secret)
        ? [{ rule: 'leak' as const, message: `the ${name} of ${tenant.name || 'the bot'} ${where}` }]
        : [],
    ),
  );
}

/** A password stands in a modal of the person who pressed the button, and nowhere else. */
function passwordsIn(passwords: readonly SetPassword[], { reader, text, isView, step }: SeenText): Violation[] {
  return passwords.flatMap(({ password, userId }) =>
    text.includes(password) && !(isView && step !== undefined && userId !== undefined && text.includes('New password'))
      ? [{ rule: 'leak' as const, message: `a password of ${userId ?? 'a new user'} to ${reader}` }]
      : [],
  );
}

/** What a log must not have: secrets, passwords, and what people are called or how they can be reached. */
export function leaksInLog(stage: Pick<Stage, 'canaries' | 'passwords' | 'places'>, lines: string): Violation[] {
  const found: Violation[] = [...secretsIn(stage, lines, 'in the log'), ...tokensInLog(lines)];
  for (const { password } of stage.passwords)
    if (lines.includes(password)) found.push({ rule: 'log', message: 'a password in the log' });
  for (const { word, canary } of stage.canaries.in(lines)) {
    if (canary.kind === 'quiz' || canary.kind === 'group') continue;
    const at = lines.toLowerCase().indexOf(word);
    found.push({
      rule: 'log',
      message: `the ${canary.kind} of ${canary.recordId} in the log: …${lines.slice(Math.max(0, at - 200), at + 60)}…`,
    });
  }
  return found;
}

type Known = Pick<Stage, 'canaries' | 'tenantOf' | 'typed'>;

const handles = [...personHandles, ...channelHandles].map((handle) => handle.toUpperCase()).join('|');
/** In a file, anything can follow. */
const ids = new RegExp(`[a-f]0000000-0000-4000-8000-\\d{12}|[UC]0W(\\d+)X(?:${handles})`, 'g');

/** The words in a text that only another tenant has: names, addresses and IDs of its records, people and channels. */
function wordsOfOthers(text: string, tenant: Tenant, { canaries, tenantOf }: Known): string[] {
  const isOfAnother = (cohort: number | undefined) => (tenantOf(cohort) ?? tenant) !== tenant;
  const words = canaries
    .in(text)
    .filter(({ canary: { recordId } }) => isOfAnother(cohortOfId(recordId)))
    .map(({ word }) => word);
  const named = [...text.matchAll(ids)].filter(([id, number]) =>
    isOfAnother(number === undefined ? cohortOfId(id) : Number(number)),
  );
  return [...new Set([...words, ...named.map(([id]) => id)])];
}

/** What people read, or a channel has, of another tenant, unless the reader, or somebody of the tenant, typed it. */
export function strangersIn(stage: Known, { tenant, reader, text }: SeenText): Violation[] {
  const isTyped = (word: string) => {
    const own = stage.typed.get(reader);
    if (own?.includes(word.toLowerCase())) return true;
    // The record says which strangers came, and were refused.
    return (own === undefined || isSlackId(word)) && isTypedIn(stage, tenant, word);
  };
  return wordsOfOthers(text, tenant, stage)
    .filter((word) => !isTyped(word))
    .map((word) => ({ rule: 'tenant', message: `${reader} of ${tenant.name} reads ${excerpt(text, word)}` }));
}

/** What a tenant’s bot keeps, or says in the log, of another tenant, unless its people typed it. */
export function strangersKept(stage: Known & Pick<Stage, 'places' | 'logLines'>): Violation[] {
  const lines = stage.logLines.join('').split('\n');
  return stage.places.flatMap(({ tenant, store: { folder } }) => {
    if (tenant.name === '') return [];
    const files = readdirSync(folder).map(
      (file) => [`file ${file}`, readFileSync(join(folder, file), 'latin1')] as const,
    );
    const said = lines.filter((line) => line.includes(`"tenant":"${tenant.name}"`)).join('\n');
    return [...files, ['log', said] as const].flatMap(([where, text]) =>
      wordsOfOthers(text, tenant, stage)
        .filter((word) => (isSlackId(word) || standsIn(text, word)) && !isTypedIn(stage, tenant, word))
        .map((word): Violation => ({
          rule: 'tenant',
          message: `${excerpt(text, word)} stands in the ${where} of ${tenant.name}`,
        })),
    );
  });
}

const isSlackId = (word: string) => /^[UC]0W/.test(word);

/** Whether a word stands in a text by itself: what is sealed can have any letters in it. */
const standsIn = (text: string, word: string) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(text);

/** Whether anybody of a tenant typed a word: what people typed of the other is in their channels, their record and their log. */
function isTypedIn({ typed, tenantOf }: Pick<Stage, 'typed' | 'tenantOf'>, tenant: Tenant, word: string): boolean {
  return [...typed].some(
    ([personId, text]) => text.includes(word.toLowerCase()) && tenantOf(cohortOfSlackId(personId)) === tenant,
  );
}

function excerpt(text: string, word: string): string {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  return `…${text.slice(Math.max(0, at - 160), at + 60).replaceAll(/[^ -~]+/g, ' ')}…`;
}
