import type { Method } from '../method.ts';
import { continueWorkflow } from '../../workflow-builder/workflows.ts';
import { endFunction } from '../../workflow-builder/functions.ts';

export const functions: Record<string, Method> = {
  /** https://docs.slack.dev/reference/methods/functions.completeSuccess */
  'functions.completeSuccess': {
    tier: 3,
    scopes: [],
    run(core, args) {
      continueWorkflow(
        core,
        endFunction(core, args.required('function_execution_id'), { outputs: args.json('outputs') }),
      );
      return {};
    },
  },
  /** https://docs.slack.dev/reference/methods/functions.completeError */
  'functions.completeError': {
    tier: 3,
    scopes: [],
    run(core, args) {
      continueWorkflow(
        core,
        endFunction(core, args.required('function_execution_id'), { error: args.required('error') }),
      );
      return {};
    },
  },
};
