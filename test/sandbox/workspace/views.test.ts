import { describe, expect, it } from 'vitest';
import { people } from '../../../src/sandbox/workspace/people.ts';
import { modal, plain, useStage } from './support/stage.ts';

const home = (words: string) => ({ type: 'home', blocks: [{ type: 'section', text: plain(words) }] });
const longSections = (count: number) =>
  Array.from({ length: count }, () => ({ type: 'section', text: plain('x'.repeat(2900)) }));

const stage = useStage();

describe('trigger ids', () => {
  const opened = (id: unknown) => stage.ask('views.open', { trigger_id: id, view: modal() });

  it.each([
    ['open a view up to 3 s after they are issued', 3000, { ok: true }],
    ['expire after 3 s', 3001, { error: 'expired_trigger_id' }],
    ['are unknown an hour later', 60 * 60_000 + 1, { error: 'invalid_trigger_id' }],
  ])('%s', async (_what, ms, answer) => {
    const id = await stage.trigger();
    stage.clock.advance(ms);
    // Those that are over are forgotten when another one is issued.
    await stage.trigger();
    expect(await opened(id)).toMatchObject(answer);
  });

  it('work once, and cannot be guessed', async () => {
    const id = await stage.trigger();
    await opened(id);
    expect(await opened(id)).toMatchObject({ error: 'exchanged_trigger_id' });
    expect(await opened('1.2.abc')).toMatchObject({ error: 'invalid_trigger_id' });
  });
});

describe('views.*', () => {
  it('reject an invalid view with a JSON pointer', async () => {
    const answer = await stage.ask('views.open', {
      trigger_id: await stage.trigger(),
      view: modal({ title: plain('x'.repeat(25)) }),
    });
    expect(answer).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'] },
    });
  });

  it('reject a view over 250 KB and accept a smaller one', async () => {
    expect(
      await stage.ask('views.open', {
        trigger_id: await stage.trigger(),
        view: modal({ blocks: longSections(80) }),
      }),
    ).toMatchObject({ ok: true });
    expect(
      await stage.ask('views.open', {
        trigger_id: await stage.trigger(),
        view: modal({ blocks: longSections(90) }),
      }),
    ).toMatchObject({ error: 'view_too_large' });
  });

  it('update only the version with the given hash', async () => {
    const view = await stage.open();
    expect(
      await stage.ask('views.update', {
        view_id: view.id,
        hash: view.hash,
        view: modal({ title: plain('Newer') }),
      }),
    ).toMatchObject({ ok: true });
    expect(await stage.ask('views.update', { view_id: view.id, hash: view.hash, view: modal() })).toMatchObject({
      error: 'hash_conflict',
    });
    expect(stage.shown().title?.text).toBe('Newer');
  });

  it('answer `not_found` where the view is not open', async () => {
    expect(await stage.ask('views.update', { view_id: 'V0NOWHERE', view: modal() })).toMatchObject({
      error: 'not_found',
    });
  });

  it('stack three modals and reject the fourth', async () => {
    const button = { type: 'actions', elements: [{ type: 'button', action_id: 'deeper', text: plain('Deeper') }] };
    await stage.open(modal({ blocks: [button] }));
    const push = async () => {
      await stage.ada.click({ view: stage.shown() }, 'deeper');
      return stage.ask('views.push', {
        trigger_id: stage.bot.received.at(-1)?.payload['trigger_id'],
        view: modal({ blocks: [button] }),
      });
    };
    expect(await push()).toMatchObject({ ok: true });
    expect(await push()).toMatchObject({
      ok: true,
      view: { root_view_id: stage.workspace.views(people.ada.id)[0]?.id },
    });
    expect(await push()).toMatchObject({ error: 'push_limit_reached' });
    expect(stage.workspace.views(people.ada.id)).toHaveLength(3);
  });

  it('do not push without an open modal', async () => {
    expect(await stage.ask('views.push', { trigger_id: await stage.trigger(), view: modal() })).toMatchObject({
      error: 'not_found',
    });
  });

  it('publish a Home tab if its hash matches', async () => {
    await stage.ask('views.publish', { user_id: people.ada.id, view: home('One') });
    const first = stage.workspace.home(people.ada.id);
    expect(
      await stage.ask('views.publish', {
        user_id: people.ada.id,
        view: home('Two'),
        hash: first?.hash,
      }),
    ).toMatchObject({ ok: true });
    expect(
      await stage.ask('views.publish', {
        user_id: people.ada.id,
        view: home('Three'),
        hash: first?.hash,
      }),
    ).toMatchObject({ error: 'hash_conflict' });
    expect(await stage.ask('views.publish', { user_id: people.ada.id, view: modal() })).toMatchObject({
      error: 'invalid_arguments',
    });
    expect(stage.workspace.home(people.tom.id)).toBeUndefined();
  });
});

describe('submissions', () => {
  it('are checked before the bot receives them', async () => {
    const view = await stage.open(
      modal({
        blocks: [
          ...modal().blocks,
          {
            type: 'input',
            block_id: 'email',
            label: plain('E-mail'),
            element: { type: 'email_text_input', action_id: 'email' },
          },
        ],
      }),
    );
    const before = stage.bot.received.length;
    expect(await stage.ada.submit(view, { email: 'nonsense' })).toMatchObject({
      errors: { name: 'Please complete this required field.', email: 'Please enter a valid e-mail address.' },
    });
    expect(stage.bot.received).toHaveLength(before);
  });

  it.each([
    [
      'errors appear under their fields',
      { response_action: 'errors', errors: { name: 'No.' } },
      { errors: { name: 'No.' } },
      1,
    ],
    [
      'errors for unknown fields are rejected',
      { response_action: 'errors', errors: { nowhere: 'No.' } },
      { failed: 'invalid_errors' },
      1,
    ],
    [
      'an update replaces the view',
      { response_action: 'update', view: modal({ title: plain('Done') }) },
      { view: { title: { text: 'Done' } } },
      1,
    ],
    [
      'an invalid view is rejected',
      { response_action: 'update', view: modal({ title: plain('') }) },
      { failed: 'invalid_view' },
      1,
    ],
    ['an unknown response is rejected', { hello: 'there' }, { failed: 'invalid_response' }, 1],
  ])('%s', async (_name, body, expected, depth) => {
    const view = await stage.open();
    stage.bot.answerWith(() => ({ body }));
    expect(await stage.ada.submit(view, { name: 'Fire safety' })).toMatchObject(expected);
    expect(stage.workspace.views(people.ada.id)).toHaveLength(depth);
  });

  it('without an acknowledgement within 3 s leave the view open with an error', async () => {
    const view = await stage.open();
    stage.bot.answerWith(() => 'never');
    const submission = stage.ada.submit(view, { name: 'Fire safety' });
    await stage.workspace.until(() =>
      stage.workspace.deliveries.some((delivery) => delivery.kind === 'view_submission'),
    );
    stage.clock.advance(3000);
    expect(await submission).toMatchObject({ failed: 'operation_timeout' });
    expect(stage.workspace.views(people.ada.id)).toHaveLength(1);
    expect(stage.workspace.notices(people.ada.id)).toMatchObject([
      { text: expect.stringContaining('operation_timeout') },
    ]);
  });
});

const picker = (over: object) =>
  modal({
    blocks: [
      {
        type: 'input',
        block_id: 'quiz',
        label: plain('Quiz'),
        element: { type: 'external_select', action_id: 'quiz', ...over },
      },
    ],
  });

describe('pickers', () => {
  const options = [{ text: plain('Fire safety'), value: '10' }];

  it('ask the bot from the minimum query length on, which defaults to three', async () => {
    stage.bot.answerWith((received) => ({
      body: received.payload['type'] === 'block_suggestion' ? { options } : undefined,
    }));
    const view = await stage.open(picker({}));
    expect(await stage.ada.options(view, 'quiz', 'fi')).toEqual({ options: [] });
    expect(stage.bot.received.some((received) => received.payload['type'] === 'block_suggestion')).toBe(false);
    expect(await stage.ada.options(view, 'quiz', 'fir')).toEqual({ options });
    expect(stage.bot.received.at(-1)?.payload).toMatchObject({
      type: 'block_suggestion',
      block_id: 'quiz',
      action_id: 'quiz',
      value: 'fir',
      view: { id: view.id },
    });
  });

  it('accept only options that the bot offered', async () => {
    stage.bot.answerWith((received) => ({
      body: received.payload['type'] === 'block_suggestion' ? { options } : undefined,
    }));
    const view = await stage.open(picker({ min_query_length: 0 }));
    await expect(stage.ada.submit(view, { quiz: 'First aid' })).rejects.toThrow('does not offer "First aid"');
    await stage.ada.submit(view, { quiz: 'Fire safety' });
    expect(stage.bot.received.at(-1)?.payload).toMatchObject({
      view: { state: { values: { quiz: { quiz: { selected_option: options[0] } } } } },
    });
  });

  it('offer nothing when the response exceeds a limit', async () => {
    stage.bot.answerWith(() => ({ body: { options: [{ text: plain('x'.repeat(76)), value: '1' }] } }));
    const view = await stage.open(picker({ min_query_length: 0 }));
    expect(await stage.ada.options(view, 'quiz', '')).toEqual({ options: [] });
    expect(stage.workspace.deliveries.at(-1)?.error).toBe('invalid_options');
  });
});
