import type { Keyv } from 'keyv';
import type { ChannelLanguages } from '../../operations/services/features.ts';
import { languageChoice, type LanguageChoice } from '../../operations/wording/language-words.ts';
import type { Language } from '../../words/languages.ts';

/** What another instance chose counts after this time at the latest. */
const knownForMs = 60_000;
const knownAtMost = 10_000;

interface Known {
  /** Never rejects. */
  choice: Promise<LanguageChoice>;
  until: number;
}

/**
 * The languages of the channels of one workspace.
 *
 * @param deps.store by channel: the code of its language
 * @param deps.defaultLanguage of channels for which nobody chose one
 */
export function createChannelLanguages(deps: {
  store: Pick<Keyv<string>, 'get' | 'set' | 'delete'>;
  defaultLanguage: Language;
  now: () => number;
}): ChannelLanguages {
  const { store, defaultLanguage, now } = deps;
  const known = new Map<string, Known>();

  async function read(channelId: string): Promise<LanguageChoice> {
    return languageChoice(await store.get(channelId)) ?? 'default';
  }

  function keep(channelId: string, entry: Known): void {
    known.delete(channelId);
    known.set(channelId, entry);
    const [oldest] = known.keys();
    if (known.size > knownAtMost && oldest !== undefined) known.delete(oldest);
  }

  /** While the store is away, what was known before counts, since a message in another language is better than none. */
  function look(channelId: string, earlier: Known | undefined): Promise<LanguageChoice> {
    const entry: Known = { choice: Promise.resolve('default'), until: now() + knownForMs };
    entry.choice = read(channelId).catch(() => {
      entry.until = 0;
      return earlier?.choice ?? 'default';
    });
    keep(channelId, entry);
    return entry.choice;
  }

  return {
    defaultLanguage,
    async of(channelId) {
      const recent = known.get(channelId);
      const choice = await (recent && now() < recent.until ? recent.choice : look(channelId, recent));
      return choice === 'default' ? defaultLanguage : choice;
    },
    async choose(channelId, choice) {
      const before = await read(channelId);
      if (choice === 'default') await store.delete(channelId);
      else if (choice !== before) await store.set(channelId, choice);
      keep(channelId, { choice: Promise.resolve(choice), until: now() + knownForMs });
      return before;
    },
  };
}
