import { describe, expect, it } from 'vitest';
import { people } from '../../../src/sandbox/workspace/people.ts';
import { modal, plain, useStage } from './support/stage.ts';

const home = (words: string) => ({ type: 'home', blocks: [{ type: 'section', text: plain(words) }] });
const longSections = (count: number) =>
  Array.from({ length: count }, () => ({ type: 'section', text: plain('x'.repeat(2900)) }));

const stage = useStage();

describe('trigger ids', () => {
  it('open a view up to 3 s after they are issued', async () => {
    const id = await stage.trigger();
    stage.clock.advance(3000);
    expect(await stage.ask('views.open', { trigger_id: id, view: modal() })).toMatchObject({
      ok: true,
    });
  });

  it('expire after 3 s', async () => {
    const id = await stage.trigger();
    stage.clock.advance(3001);
    expect(await stage.ask('views.open', { trigger_id: id, view: modal() })).toMatchObject({
      error: 'expired_trigger_id',
    });
  });

  it('are unknown an hour later', async () => {
    const id = await stage.trigger();
    stage.clock.advance(60 * 60_000 + 1);
    await stage.trigger();
    expect(await stage.ask('views.open', { trigger_id: id, view: modal() })).toMatchObject({
      error: 'invalid_trigger_id',
    });
  });

  it('work once', async () => {
    const id = await stage.trigger();
    await stage.ask('views.open', { trigger_id: id, view: modal() });
    expect(await stage.ask('views.open', { trigger_id: id, view: modal() })).toMatchObject({
      error: 'exchanged_trigger_id',
    });
  });

  it('cannot be guessed', async () => {
    expect(await stage.ask('views.open', { trigger_id: '1.2.abc', view: modal() })).toMatchObject({
      error: 'invalid_trigger_id',
    });
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
