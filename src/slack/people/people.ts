import { minuteMs, dayMs } from '../../domain/durations.ts';
import type { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import type { Person } from '../../directory/identity.ts';
import { PlatformError } from '../../domain/errors.ts';
import { createPace, forEachAtOnce } from '../../time/timers.ts';
import type { BotIdentity } from '../connection/client.ts';
import { callSlack } from '../errors.ts';
import type { Log } from '../../observability/log.ts';
import { withTimeout } from '../../time/clock.ts';
import { languageOf as spokenIn, type Language } from '../../words/languages.ts';
import type { LanguageChoice } from '../../features/administration/pages/home.ts';

/** A person, as Slack describes them. */
export interface Known extends Person {
  personId: string;
  /** From the profile, where people keep their name in parts; else the whole name, split at its first space as on a command line. */
  firstName: string;
  lastName: string;
  /** As Slack writes it, such as `de-DE`; null where Slack tells none. */
  locale: string | null;
  /** Of a deactivated person: what they would be otherwise, and when they last changed, in milliseconds since the epoch. */
  left?: { outsider: Person['outsider']; at: number | undefined };
  /** Slack does not know the person here, or does not show them. */
  isUnknown?: 'gone' | 'hidden';
}

export type People = ReturnType<typeof createPeople>;
export type OwnWorkspace = Pick<BotIdentity, 'teamId' | 'enterpriseId'>;
export type SlackUser = NonNullable<Awaited<ReturnType<WebClient['users']['info']>>['user']>;

/** By workspace and person. `at`, `askedAt`: in milliseconds since the epoch. */
type KeptPeople = Pick<Keyv<Known & { askedAt: number }>, 'get' | 'set' | 'delete'>;
type KeptLocales = Pick<Keyv<{ locale: string | null; at: number }>, 'get' | 'set' | 'delete'>;

const keptForMs = 10 * minuteMs;
/** Slack reports changes; it loses some of its events. */
const localeKeptForMs = 7 * dayMs;

/** Slack recommends no more than 200: https://docs.slack.dev/reference/methods/users.list */
const pageSize = 200;
const triesAtMost = 5;
/** The 20 pages a minute of `users.list`: https://docs.slack.dev/apis/web-api/rate-limits */
const pagePace = { everyMs: 3_000, burst: 15 };
/** Below the 100 a minute of `users.info`, which other questions share: https://docs.slack.dev/apis/web-api/rate-limits */
const localePace = { everyMs: 1_000, burst: 20 };
/** More people are found in the list of all, as far as its pages come at once. */
const askedEachAtMost = 20;
const askedAtOnce = 4;

/** Who people are. What Slack says of one is kept for ten minutes, with the address; the locale for a week. */
export function createPeople(deps: {
  client: WebClient;
  kept: KeptPeople;
  locales: KeptLocales;
  own: () => Promise<OwnWorkspace>;
  /** Rejects while Slack has not named the workspace. */
  teamId: () => Promise<string>;
  sleep: (ms: number) => Promise<void>;
  now: () => number;
}) {
  const { client, locales, now } = deps;
  const [pace, localeTurns] = [createPace({ ...pagePace, now }), createPace({ ...localePace, now })];
  const asked = new Map<string, Promise<Known>>();
  const keyOf = async (personId: string) => `${await deps.teamId()}:${personId}`;

  return { of, knows, localeOf, learn, everyone, note, changed, profilesOf };

  /**
   * @param options.maxAgeMs how old the answer may be: 0 asks Slack in any case
   * @throws {PlatformError} where Slack fails
   */
  async function of(
    personId: string,
    { maxAgeMs = keptForMs }: { maxAgeMs?: number | undefined } = {},
  ): Promise<Known> {
    const kept = maxAgeMs === 0 ? undefined : await keptOf(personId, maxAgeMs);
    if (kept) return kept;
    const known = await (maxAgeMs === 0 ? ask(personId) : askTogether(personId));
    await keep(known);
    return known;
  }

  async function ask(personId: string): Promise<Known> {
    const [user, own] = await Promise.all([infoOf(client, personId), deps.own()]);
    return { ...knownFrom(user, own), personId };
  }

  /** Those who need to know at the same time share a call. */
  async function askTogether(personId: string): Promise<Known> {
    const running = asked.get(personId) ?? ask(personId).finally(() => asked.delete(personId));
    asked.set(personId, running);
    return running;
  }

  /** The store may fail, on a full disk for example: people can go on all the same. What 1.7 kept has no locale. */
  async function keptOf(personId: string, maxAgeMs = keptForMs) {
    const known = await keyOf(personId)
      .then(async (key) => deps.kept.get(key))
      .catch(() => undefined);
    return known?.locale !== undefined && now() - known.askedAt < maxAgeMs ? known : undefined;
  }

  async function keep(known: Known): Promise<void> {
    await keyOf(known.personId)
      .then(async (key) => deps.kept.set(key, { ...known, askedAt: now() }, keptForMs))
      .catch(() => {});
    await keepLocale(known).catch(() => {});
  }

  /** A locale that is seen again is written again after a day, so that it is not forgotten. */
  async function keepLocale({ personId, locale }: Known): Promise<void> {
    const key = await keyOf(personId);
    const kept = await locales.get(key);
    if (kept?.locale === locale ? now() - kept.at > dayMs : locale !== null || kept === undefined)
      await locales.set(key, { locale, at: now() }, localeKeptForMs);
  }

  /** Whether the answer is at hand, without a call of Slack. */
  async function knows(personId: string): Promise<boolean> {
    return (await keptOf(personId)) !== undefined;
  }

  /**
   * Null where it is not at hand, and Slack is not asked: of a thousand who are written to at once, most are asked about later.
   * @param mayAsk whether Slack may be asked
   * @throws where Slack or the store fails
   */
  async function localeOf(personId: string, mayAsk: boolean): Promise<string | null> {
    const kept = await locales.get(await keyOf(personId));
    if (kept !== undefined || !mayAsk) return kept?.locale ?? null;
    // The address of who only reads is kept nowhere.
    let known: Known | undefined = await keptOf(personId);
    if (known === undefined) {
      if (localeTurns.nextAt() > now()) return null;
      localeTurns.turn(personId);
      known = await askTogether(personId);
    }
    await keepLocale(known).catch(() => {});
    return known.locale;
  }

  /** Asks about many people with few calls, where most of them are not known yet, so that `of` need not ask about each. Never throws. */
  async function learn(personIds: readonly string[]): Promise<void> {
    const known = await Promise.all(personIds.map(knows));
    const unknown = new Set(personIds.filter((_, at) => !known[at]));
    if (unknown.size <= askedEachAtMost) return;
    try {
      let pages = 0;
      for await (const page of everyone()) {
        await Promise.all(page.filter(({ personId }) => unknown.delete(personId)).map(keep));
        pages += 1;
        if (unknown.size === 0 || pages === pagePace.burst) return;
      }
    } catch {
      // Each of them is asked about by themselves.
    }
  }

  /** Lists everybody in the workspace, page by page, as fast as Slack allows. @throws {PlatformError} */
  async function* everyone(): AsyncGenerator<readonly Known[]> {
    const own = await deps.own();
    let cursor: string | undefined;
    do {
      const { members = [], response_metadata } = await readPage(cursor);
      yield members.filter(({ id }) => id !== undefined).map((member) => knownFrom(member, own));
      cursor = response_metadata?.next_cursor || undefined;
    } while (cursor !== undefined);
  }

  /** Waits for the turn of a page, and as long as Slack asks for. All readings share the pages that Slack allows. */
  async function readPage(cursor: string | undefined) {
    for (let tried = 1; ; tried += 1) {
      for (let at = pace.turn('page'); at !== undefined; at = pace.turn('page')) await deps.sleep(at - now());
      try {
        return await callSlack(async () =>
          client.users.list({ limit: pageSize, include_locale: true, ...(cursor !== undefined && { cursor }) }),
        );
      } catch (error) {
        if (tried === triesAtMost || !(error instanceof PlatformError) || error.kind !== 'rate_limited') throw error;
        await deps.sleep(error.retryAfterMs ?? 0);
      }
    }
  }

  /** Keeps of listed people what may be kept without being asked about them: the locale. Never throws. */
  async function note(some: readonly Known[]): Promise<void> {
    await Promise.allSettled(some.filter(({ locale }) => locale !== null).map(keepLocale));
  }

  /** Asks again about a person who may have changed. Slack may report that late: the locale is asked again where it is another one. */
  async function changed(personId: string, locale?: string): Promise<void> {
    const key = await keyOf(personId);
    await deps.kept.delete(key);
    const kept = await locales.get(key);
    if (kept !== undefined && kept.locale !== locale) await locales.delete(key);
  }

  async function profilesOf(personIds: readonly string[]) {
    await learn(personIds);
    const found = new Map<string, Known>();
    await forEachAtOnce(personIds, askedAtOnce, async (id) => void found.set(id, await of(id)));
    return personIds.flatMap((personId) => {
      const known = found.get(personId);
      return known === undefined || known.isUnknown ? [] : [known];
    });
  }
}

/**
 * What the bot takes of what Slack says. Only people of the bot's own workspace, or of its Enterprise organization, are no
 * strangers, and an address that its owner has not confirmed is none: anybody can enter somebody else's.
 * https://docs.slack.dev/reference/objects/user-object
 */
export function knownFrom(user: SlackUser | 'gone' | 'hidden', { teamId, enterpriseId }: OwnWorkspace): Known {
  if (typeof user === 'string') {
    const nothing = { personId: '', firstName: '', lastName: '', locale: null, emailAddress: undefined };
    return { ...nothing, outsider: 'stranger', isUnknown: user };
  }
  const isColleague = enterpriseId !== undefined && user.enterprise_user?.enterprise_id === enterpriseId;
  const isElsewhere = user.team_id !== teamId && !isColleague;
  const isUnconfirmed = user.is_email_confirmed === false;
  const outsider = user.is_bot
    ? 'bot'
    : user.is_restricted || user.is_ultra_restricted
      ? 'guest'
      : user.is_stranger || isElsewhere
        ? 'stranger'
        : undefined;
  const { first_name: first = '', last_name: last = '', real_name: real = user.real_name ?? '' } = user.profile ?? {};
  const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(real.trim()) ?? [];
  const hasParts = first.trim() !== '' || last.trim() !== '';
  return {
    personId: user.id ?? '',
    emailAddress: isUnconfirmed ? undefined : user.profile?.email,
    ...(isUnconfirmed && { isUnconfirmed }),
    name: user.profile?.real_name || user.real_name || user.profile?.display_name || user.name,
    firstName: hasParts ? first.trim() : word,
    lastName: hasParts ? last.trim() : rest,
    timeZone: user.tz,
    locale: user.locale ?? null,
    outsider: user.deleted ? 'deactivated' : outsider,
    ...(user.deleted && { left: { outsider, at: user.updated ? user.updated * 1_000 : undefined } }),
  };
}

async function infoOf(client: WebClient, personId: string): Promise<SlackUser | 'gone' | 'hidden'> {
  try {
    return (await callSlack(async () => client.users.info({ user: personId, include_locale: true }))).user ?? 'hidden';
  } catch (error) {
    // https://docs.slack.dev/reference/methods/users.info#errors
    if (error instanceof PlatformError && error.code === 'user_not_found') return 'gone';
    if (error instanceof PlatformError && error.code === 'user_not_visible') return 'hidden';
    throw error;
  }
}

export type PersonLanguages = ReturnType<typeof createPersonLanguages>;

/** How long Slack is not asked again about a person after it failed. */
const failedForMs = 60_000;
const failedAtMost = 10_000;

/**
 * In which language people read the bot: the one that they chose, else that of their Slack, else the bot’s own.
 *
 * @param deps.chosen by workspace and person
 * @param deps.timeoutMs how long a person waits for Slack, which gives a bot 3 seconds for its own answer
 * @param deps.language of people who chose none, and whose locale the bot doesn’t speak
 */
export function createPersonLanguages(deps: {
  people: Pick<People, 'localeOf'>;
  chosen: Pick<Keyv<Language>, 'get' | 'set' | 'delete'>;
  /** Rejects while Slack has not named the workspace. */
  teamId: () => Promise<string>;
  language: Language;
  timeoutMs: number;
  log: Log;
  now: () => number;
}) {
  const { chosen, log, now } = deps;
  const failedUntil = new Map<string, number>();
  const keyOf = async (personId: string) => `${await deps.teamId()}:${personId}`;
  const chosenBy = async (personId: string) => spokenIn(await chosen.get(await keyOf(personId)));

  async function inSlack(personId: string): Promise<Language> {
    try {
      const mayAsk = now() >= (failedUntil.get(personId) ?? -Infinity);
      const locale = await withTimeout(deps.timeoutMs, deps.people.localeOf(personId, mayAsk));
      return spokenIn(locale ?? undefined) ?? deps.language;
    } catch (error) {
      if (failedUntil.size >= failedAtMost) failedUntil.clear();
      failedUntil.set(personId, now() + failedForMs);
      log.debug({ error, person: personId }, 'the language of a person is not known');
      return deps.language;
    }
  }

  return {
    /** Never throws: without an answer of the store or of Slack, it is the bot’s own. */
    async languageOf(personId: string): Promise<Language> {
      try {
        return (await chosenBy(personId)) ?? (await inSlack(personId));
      } catch (error) {
        log.debug({ error, person: personId }, 'the language that a person chose is not known');
        return deps.language;
      }
    },
    async choiceOf(personId: string): Promise<LanguageChoice> {
      const [choice, locale] = await Promise.all([chosenBy(personId), inSlack(personId)]);
      return { chosen: choice, inSlack: locale };
    },
    /** @param language undefined: as in Slack */
    async choose(personId: string, language: Language | undefined): Promise<void> {
      const key = await keyOf(personId);
      if (language === undefined) await chosen.delete(key);
      else await chosen.set(key, language);
    },
  };
}
