import { describe, expect, it } from 'vitest';
import { manualClock } from '../../src/sandbox/workspace/clock.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { useBrowserPage } from './support/browser-page.ts';
import { noBrowser } from './support/chromium.ts';
import { actAs, expectAccessible, expectNoSidewaysScroll, keepScreenshot, type } from './support/page.ts';
import { useShowcase } from './support/showcase.ts';

describe.skipIf(noBrowser)('the page of the workspace', () => {
  const browser = useBrowserPage();
  const showcase = useShowcase(browser);

  it('the bot publishes the Home tab when it is opened', async () => {
    await showcase.open();
    await browser.page.getByRole('button', { name: 'Invigilator Home' }).click();
    await browser.main.getByRole('heading', { name: 'Hello' }).waitFor();
    await keepScreenshot(browser.page, 'workspace-home');
    await expectAccessible(browser.page);
    await browser.main.getByRole('checkbox', { name: 'Only my quizzes' }).check();
    const click = await showcase.bot.workspace.until(() =>
      showcase.bot.workspace.deliveries.find((delivery) => delivery.kind === 'block_actions'),
    );
    expect(click.body).toMatchObject({ container: { type: 'view' }, view: { type: 'home' } });
  });

  it('opens a conversation of the new person after a switch', async () => {
    await showcase.open();
    const here = () => browser.page.locator('[aria-current=page]').textContent();
    await browser.page.getByRole('button', { name: /training-leads/ }).click();
    await actAs(browser.page, people.rosa);
    await browser.main.getByRole('heading', { name: '#quiz-results' }).waitFor();
    await expect.poll(here).toContain('quiz-results');
    await browser.page.getByRole('button', { name: 'Invigilator', exact: true }).click();
    await actAs(browser.page, people.tom);
    await expect.poll(() => browser.page.url()).toContain(`${people.tom.id}/D00000TOM`);
    await expect.poll(async () => (await here())?.trim()).toBe('Invigilator');
  });

  it('a command without an acknowledgement shows an error', async () => {
    const clock = manualClock(Date.now());
    await showcase.open({}, clock);
    await type(browser.page, '/plain hello');
    await showcase.bot.workspace.until(() => showcase.bot.workspace.deliveries.some(({ kind }) => kind === 'command'));
    clock.advance(3000);
    await browser.log.getByText('/plain failed with the error "operation_timeout"').waitFor();
    await expect
      .poll(() => showcase.bot.workspace.deliveries.at(-1))
      .toMatchObject({ kind: 'command', error: 'operation_timeout' });
  });

  it('is accessible in dark mode', async () => {
    await showcase.open({ colorScheme: 'dark' });
    await type(browser.page, '/quiz results');
    await browser.log.getByRole('table', { name: 'Attempts' }).waitFor();
    await keepScreenshot(browser.page, 'workspace-dark');
    await expectAccessible(browser.page);
    await browser.page.getByRole('button', { name: 'Shortcuts' }).click();
    await browser.page.getByRole('menuitem', { name: /Close a quiz/ }).click();
    await browser.dialog.getByRole('combobox', { name: 'Quiz' }).waitFor();
    await keepScreenshot(browser.page, 'workspace-dark-modal');
    expect(await browser.page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches')).toBe(true);
    await expectAccessible(browser.page);
  });

  it('works at 360 pixels, with channels behind a button and nothing wider than the window', async () => {
    await showcase.open({ viewport: { width: 360, height: 740 } });
    await type(browser.page, '/quiz results');
    await browser.log.getByRole('table', { name: 'Attempts' }).waitFor();
    await keepScreenshot(browser.page, 'workspace-narrow');
    await expectNoSidewaysScroll(browser.page);
    await expectAccessible(browser.page);
    expect(
      await browser.page
        .getByRole('button', { name: /training$/ })
        .first()
        .isVisible(),
    ).toBe(false);
    await browser.page.getByRole('button', { name: 'Channels' }).click();
    await keepScreenshot(browser.page, 'workspace-narrow-channels');
    await expectAccessible(browser.page);
    await browser.page
      .getByRole('button', { name: /training$/ })
      .first()
      .click();
    await browser.main.getByRole('heading', { name: '#training' }).waitFor();
    await browser.page.getByRole('button', { name: 'Shortcuts' }).click();
    await browser.page.getByRole('menuitem', { name: /Close a quiz/ }).click();
    await browser.dialog.getByRole('combobox', { name: 'Quiz' }).click();
    await browser.dialog.getByRole('option', { name: 'Fire safety' }).waitFor();
    await keepScreenshot(browser.page, 'workspace-narrow-modal');
    await expectNoSidewaysScroll(browser.page);
    await expectAccessible(browser.page);
  });

  it('runs no script from a message', async () => {
    await showcase.open();
    await type(browser.page, '<img src=x onerror="document.title=1"> *bold* <script>document.title=2</script>');
    await browser.log.getByText('<img src=x onerror').waitFor();
    expect(await browser.page.title()).toBe('Sandbox workspace');
    await type(browser.page, '/quiz results');
    await browser.log.getByRole('table', { name: 'Attempts' }).waitFor();
    await browser.page.getByRole('button', { name: 'Shortcuts' }).click();
    await browser.page.getByRole('menuitem', { name: /Close a quiz/ }).click();
    await browser.dialog.waitFor();
    expect(browser.problems).toEqual([]);
    const policy = (await browser.page.request.get(showcase.bot.workspace.url)).headers()['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
  });
});
