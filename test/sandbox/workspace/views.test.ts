import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ManualClock, manualClock } from '../../../src/sandbox/workspace/clock.ts';
import { people } from '../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../src/sandbox/workspace/workspace.ts';
import { openWorkspace } from './support/bolt-bot.ts';
import { type RecordingBot, startRecordingBot } from './support/recording-bot.ts';
import { answerOf } from './support/web-api.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const home = (words: string) => ({ type: 'home', blocks: [{ type: 'section', text: plain(words) }] });
const longSections = (count: number) => Array.from({ length: count }, () => ({ type: 'section', text: plain('x'.repeat(2900)) }));
const modal = (over: object = {}) => ({ type: 'modal', callback_id: 'test', title: plain('Test'), submit: plain('Save'), blocks: [{ type: 'input', block_id: 'name', label: plain('Name'), element: { type: 'plain_text_input', action_id: 'name' } }], ...over });

let clock: ManualClock;
let workspace: Workspace;
let bot: RecordingBot;

beforeEach(async () => {
  clock = manualClock(1_790_000_000_000);
  bot = await startRecordingBot();
  workspace = await openWorkspace({ clock, bot: { url: bot.url } });
});

afterEach(async () => {
  await bot.stop();
  await workspace.close();
});

const ada = () => workspace.as(people.ada.id);

/** A trigger id as a shortcut brings it. */
async function trigger(): Promise<unknown> {
  await ada().shortcut('close-quiz');
  return bot.received.at(-1)?.payload['trigger_id'];
}

async function open(view: object = modal()) {
  const answer = await answerOf(workspace, 'views.open', { trigger_id: await trigger(), view });
  expect(answer).toMatchObject({ ok: true });
  return shown();
}

function shown() {
  const view = workspace.views(people.ada.id).at(-1);
  if (view === undefined) throw new Error('no view is open');
  return view;
}

describe('trigger ids', () => {
  it('open a view up to 3 s after they were issued', async () => {
    const id = await trigger();
    clock.advance(3000);
    expect(await answerOf(workspace, 'views.open', { trigger_id: id, view: modal() })).toMatchObject({ ok: true });
  });

  it('expire after that', async () => {
    const id = await trigger();
    clock.advance(3001);
    expect(await answerOf(workspace, 'views.open', { trigger_id: id, view: modal() })).toMatchObject({ error: 'expired_trigger_id' });
  });

  it('work once', async () => {
    const id = await trigger();
    await answerOf(workspace, 'views.open', { trigger_id: id, view: modal() });
    expect(await answerOf(workspace, 'views.open', { trigger_id: id, view: modal() })).toMatchObject({ error: 'exchanged_trigger_id' });
  });

  it('cannot be made up', async () => {
    expect(await answerOf(workspace, 'views.open', { trigger_id: '1.2.abc', view: modal() })).toMatchObject({ error: 'invalid_trigger_id' });
  });
});

describe('views.*', () => {
  it('refuse a wrong view with the path to what is wrong', async () => {
    const answer = await answerOf(workspace, 'views.open', { trigger_id: await trigger(), view: modal({ title: plain('x'.repeat(25)) }) });
    expect(answer).toMatchObject({ error: 'invalid_arguments', response_metadata: { messages: ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'] } });
  });

  it('refuse a view over 250 KB and take one under it', async () => {
    expect(await answerOf(workspace, 'views.open', { trigger_id: await trigger(), view: modal({ blocks: longSections(80) }) })).toMatchObject({ ok: true });
    expect(await answerOf(workspace, 'views.open', { trigger_id: await trigger(), view: modal({ blocks: longSections(90) }) })).toMatchObject({ error: 'view_too_large' });
  });

  it('update only the version whose hash they name', async () => {
    const view = await open();
    expect(await answerOf(workspace, 'views.update', { view_id: view.id, hash: view.hash, view: modal({ title: plain('Newer') }) })).toMatchObject({ ok: true });
    expect(await answerOf(workspace, 'views.update', { view_id: view.id, hash: view.hash, view: modal() })).toMatchObject({ error: 'hash_conflict' });
    expect(shown().title?.text).toBe('Newer');
  });

  it('find a view by its external id, which two views cannot share', async () => {
    await open(modal({ external_id: 'one' }));
    expect(await answerOf(workspace, 'views.update', { external_id: 'one', view: modal({ external_id: 'one', title: plain('Found') }) })).toMatchObject({ view: { title: { text: 'Found' } } });
    expect(await answerOf(workspace, 'views.update', { view_id: 'V0NOWHERE', view: modal() })).toMatchObject({ error: 'not_found' });
    await workspace.as(people.tom.id).shortcut('close-quiz');
    expect(await answerOf(workspace, 'views.open', { trigger_id: bot.received.at(-1)?.payload['trigger_id'], view: modal({ external_id: 'one' }) })).toMatchObject({ error: 'duplicate_external_id' });
  });

  it('stack three modals and refuse the fourth', async () => {
    const button = { type: 'actions', elements: [{ type: 'button', action_id: 'deeper', text: plain('Deeper') }] };
    await open(modal({ blocks: [button] }));
    const push = async () => {
      await ada().click({ view: shown() }, 'deeper');
      return answerOf(workspace, 'views.push', { trigger_id: bot.received.at(-1)?.payload['trigger_id'], view: modal({ blocks: [button] }) });
    };
    expect(await push()).toMatchObject({ ok: true });
    expect(await push()).toMatchObject({ ok: true, view: { root_view_id: workspace.views(people.ada.id)[0]?.id } });
    expect(await push()).toMatchObject({ error: 'push_limit_reached' });
    expect(workspace.views(people.ada.id)).toHaveLength(3);
  });

  it('do not push where no modal is', async () => {
    expect(await answerOf(workspace, 'views.push', { trigger_id: await trigger(), view: modal() })).toMatchObject({ error: 'not_found' });
  });

  it('keep what inputs hold when a view is updated with the same inputs', async () => {
    const view = await open();
    await ada().fill(view, { name: 'Fire safety' });
    await answerOf(workspace, 'views.update', { view_id: view.id, view: modal({ title: plain('Newer') }) });
    expect(shown().state.values).toMatchObject({ name: { name: { value: 'Fire safety' } } });
  });

  it('publish a Home tab, guarded by its hash', async () => {
    await answerOf(workspace, 'views.publish', { user_id: people.ada.id, view: home('One') });
    const first = workspace.home(people.ada.id);
    expect(await answerOf(workspace, 'views.publish', { user_id: people.ada.id, view: home('Two'), hash: first?.hash })).toMatchObject({ ok: true });
    expect(await answerOf(workspace, 'views.publish', { user_id: people.ada.id, view: home('Three'), hash: first?.hash })).toMatchObject({ error: 'hash_conflict' });
    expect(await answerOf(workspace, 'views.publish', { user_id: people.ada.id, view: modal() })).toMatchObject({ error: 'invalid_arguments' });
    expect(workspace.home(people.tom.id)).toBeUndefined();
  });
});

describe('submissions', () => {
  it('are checked by the program before the bot hears of them', async () => {
    const view = await open(modal({ blocks: [...modal().blocks, { type: 'input', block_id: 'email', label: plain('E-mail'), element: { type: 'email_text_input', action_id: 'email' } }] }));
    const before = bot.received.length;
    expect(await ada().submit(view, { email: 'nonsense' })).toMatchObject({ errors: { name: 'Please complete this required field.', email: 'Please enter a valid e-mail address.' } });
    expect(bot.received).toHaveLength(before);
  });

  it('carry what the inputs hold, and close the view', async () => {
    const view = await open(modal({ private_metadata: 'secret' }));
    expect(await ada().submit(view, { name: 'Fire safety' })).not.toHaveProperty('errors');
    expect(bot.received.at(-1)?.payload).toMatchObject({ type: 'view_submission', user: { id: people.ada.id }, view: { id: view.id, callback_id: 'test', private_metadata: 'secret', state: { values: { name: { name: { type: 'plain_text_input', value: 'Fire safety' } } } } } });
    expect(workspace.views(people.ada.id)).toEqual([]);
  });

  it.each([
    ['errors stand under their fields', { response_action: 'errors', errors: { name: 'No.' } }, { errors: { name: 'No.' } }, 1],
    ['errors for fields that are not there are refused', { response_action: 'errors', errors: { nowhere: 'No.' } }, { failed: 'invalid_errors' }, 1],
    ['an update takes the place of the view', { response_action: 'update', view: modal({ title: plain('Done') }) }, { view: { title: { text: 'Done' } } }, 1],
    ['a push lies on top of it', { response_action: 'push', view: modal() }, { view: {} }, 2],
    ['a wrong view is refused', { response_action: 'update', view: modal({ title: plain('') }) }, { failed: 'invalid_view' }, 1],
    ['clear closes everything', { response_action: 'clear' }, {}, 0],
    ['nonsense is refused', { hello: 'there' }, { failed: 'invalid_response' }, 1],
  ])('%s', async (_name, body, expected, depth) => {
    const view = await open();
    bot.answerWith(() => ({ body }));
    expect(await ada().submit(view, { name: 'Fire safety' })).toMatchObject(expected);
    expect(workspace.views(people.ada.id)).toHaveLength(depth);
  });

  it('that nobody acknowledges within 3 s leave the view open and say so', async () => {
    const view = await open();
    bot.answerWith(() => 'never');
    const submission = ada().submit(view, { name: 'Fire safety' });
    await workspace.until(() => workspace.deliveries.some((delivery) => delivery.kind === 'view_submission'));
    clock.advance(3000);
    expect(await submission).toMatchObject({ failed: 'operation_timeout' });
    expect(workspace.views(people.ada.id)).toHaveLength(1);
    expect(workspace.notices(people.ada.id)).toMatchObject([{ text: expect.stringContaining('operation_timeout') }]);
  });

  it('a closed view is told of when it asked for it', async () => {
    const view = await open(modal({ notify_on_close: true }));
    await ada().close(view);
    expect(bot.received.at(-1)?.payload).toMatchObject({ type: 'view_closed', is_cleared: false, view: { id: view.id } });
  });
});

describe('pickers', () => {
  const picker = (over: object) => modal({ blocks: [{ type: 'input', block_id: 'quiz', label: plain('Quiz'), element: { type: 'external_select', action_id: 'quiz', ...over } }] });
  const options = [{ text: plain('Fire safety'), value: '10' }];

  it('ask the bot once the least number of letters is typed: three, unless they say otherwise', async () => {
    bot.answerWith((received) => ({ body: received.payload['type'] === 'block_suggestion' ? { options } : undefined }));
    const view = await open(picker({}));
    expect(await ada().options(view, 'quiz', 'fi')).toEqual({ options: [] });
    expect(bot.received.some((received) => received.payload['type'] === 'block_suggestion')).toBe(false);
    expect(await ada().options(view, 'quiz', 'fir')).toEqual({ options });
    expect(bot.received.at(-1)?.payload).toMatchObject({ type: 'block_suggestion', block_id: 'quiz', action_id: 'quiz', value: 'fir', view: { id: view.id } });
  });

  it('take only what the bot offered', async () => {
    bot.answerWith((received) => ({ body: received.payload['type'] === 'block_suggestion' ? { options } : undefined }));
    const view = await open(picker({ min_query_length: 0 }));
    await expect(ada().submit(view, { quiz: 'First aid' })).rejects.toThrow('does not offer "First aid"');
    await ada().submit(view, { quiz: 'Fire safety' });
    expect(bot.received.at(-1)?.payload).toMatchObject({ view: { state: { values: { quiz: { quiz: { selected_option: options[0] } } } } } });
  });

  it('offer nothing when the answer breaks a limit', async () => {
    bot.answerWith(() => ({ body: { options: [{ text: plain('x'.repeat(76)), value: '1' }] } }));
    const view = await open(picker({ min_query_length: 0 }));
    expect(await ada().options(view, 'quiz', '')).toEqual({ options: [] });
    expect(workspace.deliveries.at(-1)?.error).toBe('invalid_options');
  });
});
