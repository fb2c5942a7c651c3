import { describe, expect, onTestFinished, test } from 'vitest';
import { inEnglish } from '../../src/domain/said.ts';
import type { View, Message } from '../../src/sandbox/workspace/model.ts';
import { people, channels } from '../../src/sandbox/workspace/people.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { actionIdOf, locationOf } from '../support/results.ts';

describe('on Home', () => {
  const { ada, erin, lena, rosa } = people;
  const action = 'menu:pick';
  const choiceOf = (language: string) => JSON.stringify(['button', 'choose-language', { language: [language] }]);

  /** The menu for the language: its options, and the one that is chosen. */
  function menuIn(view: View | undefined): { chosen: string; options: string[] } | undefined {
    const menus = (view?.blocks ?? []).map((block) => Object(block).accessory);
    const menu = menus.find((element) => element?.action_id === action);
    return (
      menu && {
        chosen: inEnglish(menu.initial_option.text.text),
        options: menu.options.map(({ text }: { text: { text: string } }) => inEnglish(text.text)),
      }
    );
  }

  test('a respondent reads the language of their Slack, or the one that they choose, also after a restart', async () => {
    const testBed = await openProcessTestBed({ store: 'sqlite', env: { LANGUAGE: 'nl' } });
    onTestFinished(() => testBed.close());
    const { workspace, bots } = testBed;
    const menu = () => menuIn(workspace.home(rosa.id));
    const open = async () => {
      await workspace.as(rosa.id).openHome();
      return menu();
    };
    /** Opens Home until it is so: the bot acknowledges a change in Slack before it takes it. */
    async function until(words: string): Promise<void> {
      await expect.poll(open).toHaveProperty('chosen', expect.stringContaining(words));
    }

    await until('(English)');
    expect(menu()?.options).toEqual([
      expect.stringContaining('(English)'),
      'English',
      'Deutsch',
      'Français',
      'Español',
      'Nederlands',
      'Polski',
    ]);
    const asked = workspace.calls.filter(({ method, args }) => method === 'users.info' && args['user'] === rosa.id);
    expect(asked.length).toBeGreaterThan(0);
    for (const { args } of asked) expect(args['include_locale']).toBe('true');

    await workspace.setLocale(rosa.id, 'de-DE');
    await until('(Deutsch)');
    // The bot doesn’t speak Italian.
    await workspace.setLocale(rosa.id, 'it-IT');
    await until('(Nederlands)');

    await workspace.as(rosa.id).click({ view: workspace.home(rosa.id)! }, action, choiceOf('pl'));
    await workspace.until(() => menu()?.chosen === 'Polski');
    const [bot] = bots;
    await bot?.kill();
    await bot?.start();
    await workspace.setLocale(rosa.id, 'fr-FR');
    await expect.poll(open).toHaveProperty('options', expect.arrayContaining([expect.stringContaining('(Français)')]));
    expect(menu()?.chosen).toBe('Polski');

    await workspace.as(rosa.id).click({ view: workspace.home(rosa.id)! }, action, choiceOf('default'));
    await until('(Français)');
  });

  test('a person chooses for themselves alone', async () => {
    const { workspace } = await startTestBed();
    const home = async (personId: string) => {
      await workspace.as(personId).openHome();
      return workspace.until(() => workspace.home(personId));
    };
    await workspace.as(erin.id).click({ view: await home(erin.id) }, action, choiceOf('de'));
    await workspace.until(() => menuIn(workspace.home(erin.id))?.chosen === 'Deutsch');
    expect(menuIn(await home(ada.id))?.chosen).toContain('(English)');
    expect(menuIn(await home(lena.id))).toBeUndefined();
  });
});

describe('in channels', () => {
  const { ada, erin } = people;
  const { training, general } = channels;

  async function openChannels() {
    const testBed = await startTestBed();
    const send = (personId: string, command: string, channel: string = training.id) =>
      answerTo(testBed, personId, () => testBed.workspace.as(personId).command(command, { channel }));
    return {
      testBed,
      send,
      said: async (...sent: Parameters<typeof send>) => textOf(await send(...sent)),
      /** What `/quiz-alerts list` says of the language of a channel. */
      async language(channel: string = training.id): Promise<string | undefined> {
        const list = inEnglish(textOf(await send(erin.id, '/quiz-alerts list', channel)));
        return /This channel’s messages are in (\w+)\./.exec(list)?.[1];
      },
      /** Presses a button, and waits until the person reads these words. */
      async press(personId: string, message: Message, label: string, words: string): Promise<Message> {
        await testBed.workspace.as(personId).click(locationOf(message), actionIdOf(message, label));
        return testBed.workspace.until(() =>
          testBed.workspace.ephemerals(personId).find((shown) => inEnglish(textOf(shown)).includes(words)),
        );
      },
    };
  }

  /** Waits for the next ephemeral answer to the person. */
  async function answerTo({ workspace }: TestBed, personId: string, act: () => Promise<unknown>): Promise<Message> {
    const before = workspace.ephemerals(personId).length;
    await act();
    return workspace.until(() => workspace.ephemerals(personId)[before]);
  }

  test('the language of a channel is set by its command, in any of its names, and undone', async () => {
    const { said, send, language, press } = await openChannels();
    expect(await language()).toBeUndefined();
    const set = await send(erin.id, '/quiz-alerts language Deutsch');
    expect(textOf(set)).toContain('Changed the language. This channel’s messages will be in German.');
    expect(await language()).toBe('German');
    expect(await language(general.id)).toBeUndefined();
    expect(await said(erin.id, '/quiz-alerts language de')).toContain(
      'This channel’s messages were in German already. Nothing changed.',
    );
    expect(await said(erin.id, `/quiz-alerts language polish <#${general.id}|general>`)).toContain(
      'Messages in *#general* will be in Polish.',
    );
    expect(await language(general.id)).toBe('Polish');
    await press(erin.id, set, 'Undo', 'This channel’s messages will be in English, the default language.');
    expect(await language()).toBeUndefined();
    expect(await said(ada.id, '/quiz-admin audit since 1d')).toMatch(/switched .* to messages in German/);
  });

  test('a board is in the language of its channel as soon as that is chosen', async () => {
    const { testBed, send, press } = await openChannels();
    const preview = await send(ada.id, '/quiz-campaign start workplace for @ravi due in 2 weeks board here');
    await press(ada.id, preview, 'Start', 'Started a campaign');
    const board = () => textOf(testBed.workspace.messages(training.id).find(({ botId }) => botId !== undefined));
    await testBed.workspace.until(() => board().includes('Remind now'));
    await send(erin.id, '/quiz-alerts language Deutsch');
    await testBed.workspace.until(() => board().includes('Jetzt erinnern'));
    expect(board()).not.toContain('Remind now');
  });

  test('a language that somebody else has chosen since is taken back only once that is confirmed', async () => {
    const { said, send, language, press } = await openChannels();
    const set = await send(erin.id, '/quiz-alerts language Deutsch');
    await said(ada.id, '/quiz-alerts language polski');
    const question = await press(erin.id, set, 'Undo', 'to messages in Polish. Change it back all the same?');
    expect(await language()).toBe('Polish');
    await press(erin.id, question, 'Set language', 'This channel’s messages will be in English, the default language.');
    expect(await language()).toBeUndefined();
  });
});
