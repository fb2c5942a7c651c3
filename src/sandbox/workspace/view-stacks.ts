import { identify, type ViewPayload } from './block-kit/validate.ts';
import type { Clock } from './clock.ts';
import { initialValues } from './interactive-elements.ts';
import { withoutKeys } from './json.ts';
import { limits } from './limits.ts';
import type { View } from './model.ts';
import { appId, botId, teamId } from './people.ts';
import type { State } from './state.ts';

/** @returns the person's open modals, root first */
export function stackOf(state: State, userId: string): View[] {
  return state.stacks.get(userId) ?? [];
}

/** Opens a modal on top of the person's stack, or in place of it. @returns undefined where the stack is full */
export function openView(
  state: State,
  clock: Clock,
  userId: string,
  payload: ViewPayload,
  onTop: boolean,
): View | undefined {
  const stack = onTop ? stackOf(state, userId) : [];
  if (stack.length >= limits.viewStack.max) return undefined;
  const view = makeView(state, clock, userId, payload, stack);
  state.stacks.set(userId, [...stack, view]);
  state.changes.emit();
  return view;
}

/** Replaces a view's content. Inputs of the same id and type keep their state. */
export function replaceView(state: State, clock: Clock, view: View, payload: ViewPayload): View {
  const next: View = {
    ...makeView(state, clock, view.user, payload, []),
    id: view.id,
    root_view_id: view.root_view_id,
    previous_view_id: view.previous_view_id,
  };
  next.state = { values: initialValues(next.blocks, view.state.values) };
  if (view.type === 'home') state.homes.set(view.user, next);
  else
    state.stacks.set(
      view.user,
      stackOf(state, view.user).map((open) => (open.id === view.id ? next : open)),
    );
  state.changes.emit();
  return next;
}

/** Publishes or replaces a person's Home tab. */
export function publishHome(state: State, clock: Clock, userId: string, payload: ViewPayload): View {
  const before = state.homes.get(userId);
  if (before !== undefined) return replaceView(state, clock, before, payload);
  const view = makeView(state, clock, userId, payload, []);
  state.homes.set(userId, view);
  state.changes.emit();
  return view;
}

/** Closes a view and the views on top of it. */
export function closeView(state: State, view: View): void {
  const stack = stackOf(state, view.user);
  const at = stack.findIndex(({ id }) => id === view.id);
  if (at < 0) return;
  state.stacks.set(view.user, stack.slice(0, at));
  state.changes.emit();
}

/** Closes all modals of a person. */
export function closeAll(state: State, userId: string): void {
  state.stacks.delete(userId);
  state.changes.emit();
}

/** Finds an open modal or a Home tab. */
export function findView(state: State, id: string): View | undefined {
  return [...state.homes.values(), ...[...state.stacks.values()].flat()].find((view) => view.id === id);
}

function makeView(state: State, clock: Clock, user: string, payload: ViewPayload, below: View[]): View {
  const id = state.newId('V');
  const blocks = identify(payload.blocks, () => state.newId('b'));
  return {
    id,
    type: payload.type,
    callback_id: payload.callback_id ?? '',
    private_metadata: payload.private_metadata ?? '',
    hash: `${Math.floor(clock.now() / 1000)}.${state.newId('h')}`,
    ...(payload.type === 'modal' && { title: payload.title }),
    ...(payload.type === 'modal' && payload.submit !== undefined && { submit: payload.submit }),
    ...(payload.type === 'modal' && payload.close !== undefined && { close: payload.close }),
    blocks,
    root_view_id: below[0]?.id ?? id,
    previous_view_id: below.at(-1)?.id ?? null,
    state: { values: initialValues(blocks) },
    user,
  };
}

/** The view object of Slack's API and payloads. */
export function viewPayload(view: View): Record<string, unknown> {
  return {
    ...withoutKeys(view, 'user'),
    title: view.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    submit: view.submit ?? null,
    close: view.close ?? null,
    external_id: '',
    clear_on_close: false,
    notify_on_close: false,
    team_id: teamId,
    app_id: appId,
    app_installed_team_id: teamId,
    bot_id: botId,
  };
}
