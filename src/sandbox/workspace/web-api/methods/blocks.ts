import { checkBlocks } from '../../block-kit/validate.ts';
import { checkView } from '../../block-kit/views.ts';
import { unknownTypes } from '../../core.ts';
import { propertyOf } from '../../json.ts';
import { ApiError, type Method } from '../method.ts';

/** An error of the sandbox's checks, which ends in `[json-pointer:/blocks/0/type]`, as `blocks.validate` reports it. */
function errorOf(text: string): { pointer: string; code: string; message: string } {
  const [, message = text, pointer = ''] = /^(.*?)\s*\[json-pointer:(.*)\]$/.exec(text) ?? [];
  return { pointer, code: 'failed_constraint', message };
}

/** https://docs.slack.dev/reference/methods/blocks.validate */
export const blocks: Record<string, Method> = {
  'blocks.validate': {
    tier: 'special',
    scopes: [],
    run(core, args) {
      const given = (['blocks', 'message', 'view'] as const).filter((name) => args.text(name) !== undefined);
      const [what] = given;
      if (what === undefined || given.length > 1) throw new ApiError('invalid_arguments');
      const value = args.json(what);
      const rules = { unknownTypes: unknownTypes(core) };
      const { errors } =
        what === 'view'
          ? checkView(value, rules)
          : checkBlocks(what === 'message' ? propertyOf(value, 'blocks') : value, { ...rules, surface: 'message' });
      if (errors !== undefined) throw new ApiError(`invalid_${what}`, { errors: errors.map(errorOf) });
      return {};
    },
  },
};
