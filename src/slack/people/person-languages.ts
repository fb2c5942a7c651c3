import type { Keyv } from 'keyv';
import type { Log } from '../../observability/log.ts';
import { withTimeout } from '../../time/clock.ts';
import { languageOf as spokenIn, type Language } from '../../words/languages.ts';
import type { LanguageChoice } from '../views/home.ts';
import type { People } from './people.ts';

/** In which language people read the bot: the one that they chose, else that of their Slack, else the bot’s own. */
export interface PersonLanguages {
  /** Never throws: without an answer of the store or of Slack, it is the bot’s own. */
  languageOf(personId: string): Promise<Language>;
  choiceOf(personId: string): Promise<LanguageChoice>;
  /** @param language undefined: as in Slack */
  choose(personId: string, language: Language | undefined): Promise<void>;
}

/** How long Slack is not asked again about a person after it failed. */
const failedForMs = 60_000;
const failedAtMost = 10_000;

/**
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
}): PersonLanguages {
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
    async languageOf(personId) {
      try {
        return (await chosenBy(personId)) ?? (await inSlack(personId));
      } catch (error) {
        log.debug({ error, person: personId }, 'the language that a person chose is not known');
        return deps.language;
      }
    },
    async choiceOf(personId) {
      const [choice, locale] = await Promise.all([chosenBy(personId), inSlack(personId)]);
      return { chosen: choice, inSlack: locale };
    },
    async choose(personId, language) {
      const key = await keyOf(personId);
      if (language === undefined) await chosen.delete(key);
      else await chosen.set(key, language);
    },
  };
}
