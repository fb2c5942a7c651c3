import { ApiError, type Arguments, type Method } from '../method.ts';
import { checkView, type ViewPayload } from '../../block-kit/views.ts';
import { type Core, unknownTypes } from '../../core.ts';
import { limits } from '../../limits.ts';
import type { Trigger } from '../../expiring-handles.ts';
import type { View } from '../../model.ts';
import { findView, openView, type ViewResult, publishHome, replaceView, viewPayload } from '../../view-stacks.ts';

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

function answer(placed: ViewResult): Record<string, unknown> {
  if (placed.error !== undefined) throw new ApiError(placed.error);
  return { view: viewPayload(placed.view) };
}

function checkHash(view: View | undefined, args: Arguments): void {
  const hash = args.text('hash');
  if (hash !== undefined && hash !== view?.hash) throw new ApiError('hash_conflict');
}

export const views: Record<string, Method> = {
  'views.open': {
    tier: 4,
    scopes: [],
    run(core, args) {
      const payload = readView(core, args, 'modal');
      const trigger = redeem(core, args);
      return answer(openView(core.state, core.clock, trigger.user, payload, isInModal(core, trigger)));
    },
  },
  'views.push': {
    tier: 4,
    scopes: [],
    run(core, args) {
      const payload = readView(core, args, 'modal');
      const trigger = redeem(core, args);
      if (!isInModal(core, trigger)) throw new ApiError('not_found');
      return answer(openView(core.state, core.clock, trigger.user, payload, true));
    },
  },
  'views.update': {
    tier: 4,
    scopes: [],
    run(core, args) {
      const id = args.text('view_id');
      const externalId = args.text('external_id');
      if (id === undefined && externalId === undefined) args.required('view_id');
      const view = findView(core.state, {
        ...(id !== undefined && { id }),
        ...(externalId !== undefined && { externalId }),
      });
      if (view === undefined) throw new ApiError('not_found');
      const payload = readView(core, args, view.type);
      checkHash(view, args);
      return answer(replaceView(core.state, core.clock, view, payload));
    },
  },
  'views.publish': {
    tier: 4,
    scopes: [],
    run(core, args) {
      const user = args.required('user_id');
      const payload = readView(core, args, 'home');
      if (!core.state.people.has(user)) throw new ApiError('user_not_found');
      if (!core.manifest.features.app_home.home_tab_enabled) throw new ApiError('not_enabled');
      checkHash(core.state.homes.get(user), args);
      return { view: viewPayload(publishHome(core.state, core.clock, user, payload)) };
    },
  },
};

const isInModal = (core: Core, trigger: Trigger): boolean =>
  trigger.viewId !== undefined &&
  (core.state.stacks.get(trigger.user) ?? []).some((view) => view.id === trigger.viewId);
