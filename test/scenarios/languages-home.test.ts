import { expect, onTestFinished, test } from 'vitest';
import { inEnglish } from '../../src/domain/said.ts';
import type { View } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { startTestBed } from '../support/test-bed.ts';

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
