import type { WebClient } from '@slack/web-api';
import { Keyv } from 'keyv';
import { describe, expect, test } from 'vitest';
import { createPersonLanguages, knownFrom } from '../../../src/slack/people/people.ts';
import { peopleOf } from '../../support/sample-users.ts';
import type { Language } from '../../../src/words/languages.ts';
import { recordingLog } from '../../support/log.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A Slack in which people have these locales. */
function setUp(locales: Record<string, string> = { UROSA: 'de-DE', UADA: 'en-US', UGINO: 'it-IT' }) {
  const clock = { now: 1_000_000_000 };
  const asked: object[] = [];
  const slack: { failure?: Error | undefined; answer: Promise<void> } = { answer: Promise.resolve() };
  const client = {
    users: {
      async info(options: { user: string; include_locale?: boolean }) {
        asked.push(options);
        await slack.answer;
        if (slack.failure) throw slack.failure;
        const locale = locales[options.user];
        if (locale === undefined)
          throw Object.assign(new Error('nobody'), {
            code: 'slack_webapi_platform_error',
            data: { ok: false, error: 'user_not_found' },
          });
        return { user: { id: options.user, ...(options.include_locale && { locale }) } };
      },
    },
  } as unknown as WebClient;
  const stored = { chosen: new Map<string, unknown>(), locales: new Map<string, unknown>() };
  const { log, lines } = recordingLog();
  const open = (language: Language = 'en', timeoutMs = 20_000) => {
    const people = peopleOf(client, { locales: new Keyv({ store: stored.locales }), now: () => clock.now });
    const languages = createPersonLanguages({
      people,
      chosen: new Keyv({ store: stored.chosen }),
      teamId: async () => 'T1',
      language,
      timeoutMs,
      log,
      now: () => clock.now,
    });
    return { ...languages, people };
  };
  return { clock, locales, asked, slack, stored, lines, open };
}

describe('the language of a person', () => {
  test('is that of their Slack, which is asked once, also over restarts', async () => {
    const { open, asked } = setUp();
    const languages = open();
    expect(await Promise.all(['UROSA', 'UROSA'].map(languages.languageOf))).toEqual(['de', 'de']);
    expect(await languages.languageOf('UROSA')).toBe('de');
    expect(await open().languageOf('UROSA')).toBe('de');
    expect(asked).toEqual([{ user: 'UROSA', include_locale: true }]);
  });

  test('is that of the bot where the bot doesn’t speak theirs, or Slack doesn’t know them', async () => {
    const { open, asked } = setUp();
    const languages = open('nl');
    for (const personId of ['UGINO', 'UNOBODY', 'UGINO', 'UNOBODY'])
      expect(await languages.languageOf(personId)).toBe('nl');
    expect(asked).toHaveLength(2);
  });

  test('is asked about no faster than Slack allows, and is that of the bot until then', async () => {
    const people = Array.from({ length: 300 }, (_, number) => `U${number}`);
    const { open, asked, clock } = setUp(Object.fromEntries(people.map((personId) => [personId, 'de-DE'])));
    const { languageOf } = open();
    const spoken = await Promise.all(people.map(languageOf));
    expect([asked.length, spoken.filter((language) => language === 'de').length]).toEqual([20, 20]);
    clock.now += minuteMs;
    for (const personId of people.slice(0, 40)) await languageOf(personId);
    expect(asked).toHaveLength(40);
    expect(await languageOf('U39')).toBe('de');
  });

  test('is the one that they chose, until they choose that of Slack again', async () => {
    const { open, asked } = setUp();
    await open().choose('UROSA', 'pl');
    const languages = open();
    expect(await languages.languageOf('UROSA')).toBe('pl');
    expect(asked).toEqual([]);
    expect(await languages.choiceOf('UROSA')).toEqual({ chosen: 'pl', inSlack: 'de' });
    expect(await languages.languageOf('UADA')).toBe('en');
    await languages.choose('UROSA', undefined);
    expect(await languages.languageOf('UROSA')).toBe('de');
    expect(await languages.choiceOf('UROSA')).toEqual({ chosen: undefined, inSlack: 'de' });
  });

  test('is that of the bot while Slack fails, which is asked again a minute later', async () => {
    const { open, asked, slack, clock, lines } = setUp();
    const languages = open('fr');
    slack.failure = new Error('Slack is away');
    expect([await languages.languageOf('UROSA'), await languages.languageOf('UROSA')]).toEqual(['fr', 'fr']);
    expect(asked).toHaveLength(1);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'debug', person: 'UROSA' }]);
    slack.failure = undefined;
    clock.now += minuteMs;
    expect(await languages.languageOf('UROSA')).toBe('de');
  });

  test('does not hold up a person whom Slack is slow about, and is known later', async () => {
    const { open, slack } = setUp();
    const languages = open('en', 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    slack.answer = promise;
    expect(await languages.languageOf('UROSA')).toBe('en');
    resolve();
    await expect.poll(async () => languages.languageOf('UROSA')).toBe('de');
  });

  test('is that of the bot while the store fails', async () => {
    const { clock } = setUp();
    const away = async () => {
      throw new Error('the store is away');
    };
    const broken = { get: away, set: away, delete: away };
    const languages = createPersonLanguages({
      people: peopleOf({} as WebClient, { kept: broken, locales: broken, now: () => clock.now }),
      chosen: broken,
      teamId: async () => 'T1',
      language: 'es',
      timeoutMs: 1,
      log: recordingLog().log,
      now: () => clock.now,
    });
    expect(await languages.languageOf('UROSA')).toBe('es');
    await expect(languages.choose('UROSA', 'de')).rejects.toThrow('the store is away');
  });

  test('is taken from what Slack says in passing, and written again only after a day', async () => {
    const { open, asked, clock, stored } = setUp();
    const languages = open();
    const own = { teamId: 'T1', enterpriseId: undefined };
    const noteRosa = async (locale: string) =>
      languages.people.note([knownFrom({ id: 'UROSA', locale }, own), knownFrom({ id: 'UADA' }, own)]);
    await noteRosa('pl-PL');
    expect(await languages.languageOf('UROSA')).toBe('pl');
    const written = stored.locales.get('keyv:T1:UROSA');
    clock.now += dayMs / 2;
    await noteRosa('pl-PL');
    expect(stored.locales.get('keyv:T1:UROSA')).toBe(written);
    clock.now += dayMs;
    await noteRosa('pl-PL');
    expect(stored.locales.get('keyv:T1:UROSA')).not.toBe(written);
    await noteRosa('fr-FR');
    expect(await languages.languageOf('UROSA')).toBe('fr');
    expect(asked).toEqual([]);
    expect(stored.locales.size).toBe(1);
  });

  test('is asked again after a change of it, and after no other change', async () => {
    const { open, asked, locales } = setUp();
    const languages = open();
    await languages.languageOf('UROSA');
    await languages.people.changed('UROSA', 'de-DE');
    expect(await languages.languageOf('UROSA')).toBe('de');
    expect(asked).toHaveLength(1);
    locales['UROSA'] = 'nl-NL';
    await languages.people.changed('UROSA', 'nl-NL');
    expect(await languages.languageOf('UROSA')).toBe('nl');
    // An event that comes a day late.
    await languages.people.changed('UROSA', 'de-DE');
    expect(await languages.languageOf('UROSA')).toBe('nl');
    expect(asked).toHaveLength(3);
  });
});
