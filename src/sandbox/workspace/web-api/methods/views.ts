import { ApiError, type Arguments, type Method, method } from '../method.ts';
import { checkView, type ViewPayload } from '../../block-kit/validate.ts';
import { type Core, unknownTypes } from '../../core.ts';
import { limits } from '../../limits.ts';
import type { Trigger } from '../../expiring-handles.ts';
import type { View } from '../../model.ts';
import { findView, openView, publishHome, replaceView, viewPayload } from '../../view-stacks.ts';

function readView(core: Core, args: Arguments, type: 'modal' | 'home' | undefined): ViewPayload {
  const given = args.json('view');
  if (given === undefined) args.required('view');
  if (Buffer.byteLength(JSON.stringify(given)) > limits.viewBytes.max) throw new ApiError('view_too_large');
  const checked = checkView(given, { unknownTypes: unknownTypes(core) });
  const errors =
    checked.errors ??
    (type !== undefined && checked.value?.type !== type ? [`must be a ${type} view [json-pointer:/view/type]`] : []);
  if (checked.value === undefined || errors.length > 0)
    throw new ApiError('invalid_arguments', {
      response_metadata: { messages: errors.map((message) => `[ERROR] ${message}`) },
    });
  return checked.value;
}

function redeem(core: Core, args: Arguments): Trigger {
  const redeemed = core.triggers.redeem(args.required('trigger_id'));
  if ('error' in redeemed) throw new ApiError(redeemed.error);
  return redeemed.trigger;
}

function open(core: Core, trigger: Trigger, payload: ViewPayload, onTop: boolean): Record<string, unknown> {
  const view = openView(core.state, core.clock, trigger.user, payload, onTop);
  if (view === undefined) throw new ApiError('push_limit_reached');
  return { view: viewPayload(view) };
}

function checkHash(view: View | undefined, args: Arguments): void {
  const hash = args.text('hash');
  if (hash !== undefined && hash !== view?.hash) throw new ApiError('hash_conflict');
}

export const views: Record<string, Method> = {
  'views.open': method(4, [], (core, args) => {
    const payload = readView(core, args, 'modal');
    const trigger = redeem(core, args);
    return open(core, trigger, payload, isInModal(core, trigger));
  }),
  'views.push': method(4, [], (core, args) => {
    const payload = readView(core, args, 'modal');
    const trigger = redeem(core, args);
    if (!isInModal(core, trigger)) throw new ApiError('not_found');
    return open(core, trigger, payload, true);
  }),
  'views.update': method(4, [], (core, args) => {
    const view = findView(core.state, args.required('view_id'));
    if (view === undefined) throw new ApiError('not_found');
    const payload = readView(core, args, view.type);
    checkHash(view, args);
    return { view: viewPayload(replaceView(core.state, core.clock, view, payload)) };
  }),
  'views.publish': method(4, [], (core, args) => {
    const user = args.required('user_id');
    const payload = readView(core, args, 'home');
    if (!core.state.people.has(user)) throw new ApiError('user_not_found');
    if (!core.manifest.features.app_home.home_tab_enabled) throw new ApiError('not_enabled');
    checkHash(core.state.homes.get(user), args);
    return { view: viewPayload(publishHome(core.state, core.clock, user, payload)) };
  }),
};

const isInModal = (core: Core, trigger: Trigger): boolean =>
  trigger.viewId !== undefined &&
  (core.state.stacks.get(trigger.user) ?? []).some((view) => view.id === trigger.viewId);
