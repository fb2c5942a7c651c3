import type { WebClient } from '@slack/web-api';
import type { Keyv } from 'keyv';
import type { Log } from '../../observability/log.ts';
import { withTimeout } from '../../time/clock.ts';
import { languageOf as spokenIn, type Language } from '../../words/languages.ts';
import type { LanguageChoice } from '../views/language-select.ts';
import { infoOf, type NoteUsers, type SlackUser } from './people.ts';

/** In which language people read the bot: the one that they chose, else that of their Slack, else the bot’s own. */
export interface PersonLanguages {
  /** Never throws: without an answer of the store or of Slack, it is the bot’s own. */
  languageOf(personId: string): Promise<Language>;
  choiceOf(personId: string): Promise<LanguageChoice>;
  /** @param language undefined: as in Slack */
  choose(personId: string, language: Language | undefined): Promise<void>;
  /** Takes the locale of people whom the bot asked Slack about for another reason. Never throws. */
  note: NoteUsers;
  /** Takes a change that Slack reports, maybe late: where the locale is another one, Slack is asked again. */
  noteChange(user: Pick<SlackUser, 'id' | 'locale'>): Promise<void>;
}

/** As Slack writes it, such as `de-DE`; null for people without one. `at`: in milliseconds since the epoch. */
interface KeptLocale {
  locale: string | null;
  at: number;
}

/** Slack reports changes; it loses some of its events. */
const keptForMs = 7 * 24 * 3_600_000;
/** A locale that is seen again is written again after this long, so that it is not forgotten. */
const writtenAgainAfterMs = keptForMs / 7;
/** How long Slack is not asked again about a person after it failed. */
const failedForMs = 60_000;
const failedAtMost = 10_000;

/**
 * @param deps.chosen by workspace and person
 * @param deps.locales by workspace and person
 * @param deps.timeoutMs how long a person waits for Slack, which gives a bot 3 seconds for its own answer
 * @param deps.language of people who chose none, and whose locale the bot doesn’t speak
 */
export function createPersonLanguages(deps: {
  client: WebClient;
  chosen: Pick<Keyv<Language>, 'get' | 'set' | 'delete'>;
  locales: Pick<Keyv<KeptLocale>, 'get' | 'set' | 'delete'>;
  /** Rejects while Slack has not named the workspace. */
  teamId: () => Promise<string>;
  language: Language;
  timeoutMs: number;
  log: Log;
  now: () => number;
}): PersonLanguages {
  const { chosen, locales, log, now } = deps;
  const asked = new Map<string, Promise<KeptLocale>>();
  const failedUntil = new Map<string, number>();
  const keyOf = async (personId: string) => `${await deps.teamId()}:${personId}`;
  const chosenBy = async (key: string) => spokenIn(await chosen.get(key));

  async function inSlack(personId: string, key: string): Promise<Language> {
    try {
      const kept = await locales.get(key);
      if (kept === undefined && now() < (failedUntil.get(personId) ?? -Infinity)) return deps.language;
      const { locale } = kept ?? (await withTimeout(deps.timeoutMs, ask(personId, key)));
      return spokenIn(locale ?? undefined) ?? deps.language;
    } catch (error) {
      if (failedUntil.size >= failedAtMost) failedUntil.clear();
      failedUntil.set(personId, now() + failedForMs);
      log.debug({ error, person: personId }, 'the language of a person is not known');
      return deps.language;
    }
  }

  /** Those who need to know at the same time share a call. */
  async function ask(personId: string, key: string): Promise<KeptLocale> {
    const running = asked.get(personId) ?? lookUp(personId, key).finally(() => asked.delete(personId));
    asked.set(personId, running);
    return running;
  }

  async function lookUp(personId: string, key: string): Promise<KeptLocale> {
    const user = await infoOf(deps.client, personId);
    return keep(key, user?.locale ?? null);
  }

  async function keep(key: string, locale: string | null): Promise<KeptLocale> {
    const kept = { locale, at: now() };
    await locales.set(key, kept, keptForMs);
    return kept;
  }

  async function noteOne({ id, locale }: Pick<SlackUser, 'id' | 'locale'>): Promise<void> {
    if (id === undefined || locale === undefined) return;
    const key = await keyOf(id);
    const kept = await locales.get(key);
    if (kept?.locale !== locale || now() - kept.at > writtenAgainAfterMs) await keep(key, locale);
  }

  /** What is noted in passing must not hold up what it was asked for. */
  async function inPassing(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => log.debug({ error }, 'the language of a person could not be kept'));
  }

  return {
    async languageOf(personId) {
      try {
        const key = await keyOf(personId);
        return (await chosenBy(key)) ?? (await inSlack(personId, key));
      } catch (error) {
        log.debug({ error, person: personId }, 'the language that a person chose is not known');
        return deps.language;
      }
    },
    async choiceOf(personId) {
      const key = await keyOf(personId);
      const [choice, locale] = await Promise.all([chosenBy(key), inSlack(personId, key)]);
      return { chosen: choice, inSlack: locale };
    },
    async choose(personId, language) {
      const key = await keyOf(personId);
      if (language === undefined) await chosen.delete(key);
      else await chosen.set(key, language);
    },
    note: (users) => inPassing(Promise.all(users.map(noteOne))),
    async noteChange({ id, locale }) {
      if (id === undefined) return;
      const key = await keyOf(id);
      const kept = await locales.get(key);
      if (kept !== undefined && kept.locale !== locale) await locales.delete(key);
      failedUntil.delete(id);
    },
  };
}
