import { knownToAgentsForMs } from '../../governance/perform/judge.ts';
import { canHave } from '../../governance/rights/policy.ts';
import type { Execute } from '../../governance/perform/execute.ts';
import type { Permissions } from '../../governance/rights/permissions.ts';
import type { Log } from '../../observability/log.ts';
import { catalog, operationNamed } from '../../operations/catalog.ts';
import { answerTo, isDrawn, isToPress, toolResult, type Answer } from './answer.ts';
import type { AgentPlatform, Caller } from './caller.ts';
import { inputFrom, isTool, missingFields, toolOf, type Tool } from './tool.ts';

type ToolResult = ReturnType<typeof toolResult>;

/** The operations as tools. */
export interface Tools {
  /** The tools that the person may have. Where a message names nobody, all of them: the list says nothing of the account, and a call is refused. */
  list(caller: Caller | undefined): Promise<Tool[]>;
  /** Undefined where there is no such tool. */
  call(caller: Caller, name: string, given: Readonly<Record<string, unknown>>): Promise<ToolResult | undefined>;
}

/** Makes tools of the catalog. A call goes to `execute`, as a command does, so rights, approvals and the record are the same. */
export function createTools(deps: {
  execute: Execute;
  permissions: Permissions;
  platform: AgentPlatform;
  log: Log;
}): Tools {
  const { execute, permissions, platform, log } = deps;

  return {
    async list(caller) {
      const rights = caller && (await permissions.of(caller.personId, { personMaxAgeMs: knownToAgentsForMs })).rights;
      return catalog
        .filter((operation) => isTool(operation) && (rights === undefined || canHave(operation, rights)))
        .map((operation) => toolOf(operation, rights, platform));
    },
    async call(caller, name, given) {
      const operation = operationNamed(name);
      if (operation === undefined || !isTool(operation)) return undefined;
      const read = inputFrom(operation, given, platform);
      if ('problem' in read) return toolResult({ status: 'invalid', field: read.field, message: read.problem });
      const { input } = read;
      const { personId, teamId, through } = caller;
      const outcome = await execute({ operation, inputs: [input], personId, teamId, through });
      if (outcome.kind === 'incomplete') return toolResult(incompleteAnswer(missingFields(operation, input)));
      const answer = answerTo(operation, outcome, platform.inOwnNames);
      if (!isToPress(outcome)) {
        const isShown = caller.through === 'assistant' && isDrawn(outcome);
        return toolResult(answer, isShown ? platform.pictureOf(operation, input, outcome) : {});
      }
      try {
        await platform.sendToPress(caller, operation, input, outcome);
        return toolResult(answer);
      } catch (error) {
        log.warn({ error, person: personId, operation: name }, 'what a person has to press could not be sent to them');
        return toolResult(answer.status === 'press' ? notSent(platform.inOwnNames(operation.command)) : answer);
      }
    },
  };
}

function incompleteAnswer(missing: readonly string[]): Answer {
  return {
    status: 'incomplete',
    field: missing[0],
    message: `Something’s missing: ${missing.join(', ') || 'an argument'}.`,
  };
}

function notSent(command: string): Answer {
  return {
    status: 'failed',
    message: `The person has to confirm this, and the bot can’t send them a direct message. Nothing has changed. They can type ${command.replaceAll(/[<>]/g, '')}.`,
  };
}
