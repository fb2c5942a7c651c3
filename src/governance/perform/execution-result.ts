import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { Confirmation, Operation } from '../../operations/operation.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import type { TextInput } from '../../operations/text-input.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { ResolvedInput } from './resolve-input.ts';
import type { Failure } from './run-operation.ts';

/** An operation that a person wants, and where they want it from. */
export interface OperationRequest {
  operation: Operation;
  /** What was typed or chosen. A line with several readings has one input for each, the likeliest first. */
  inputs: readonly [TextInput, ...TextInput[]];
  /** Further readings, which are taken where they make sense and those do not. */
  rescues?: readonly TextInput[];
  /** What the line can mean as well: where it makes sense both ways, the person is asked. */
  rivals?: readonly TextInput[];
  personId: string;
  /** The workspace the person is in. */
  teamId: string;
  /** The conversation the person is in, if it is known. */
  channelId?: string | undefined;
  /** `message`: people wrote it to the bot, `assistant`: the platform’s own, `agent`: one with a token of the person, `workflow`: a step of a workflow that they published. */
  through: 'command' | 'message' | 'form' | 'choice' | 'assistant' | 'agent' | 'workflow';
  /** Called where the person waits for large lists that others read. */
  onQueued?: CallOptions['onQueued'];
}

/** What came of it. Messages are sentences of `domain/sentence.ts`. */
export type ExecutionResult =
  /** `offered`: the names of the operations that the person may run or request, for next steps. */
  | { kind: 'done'; result: OperationResult; offered: ReadonlySet<string> }
  /** It waits for another person's decision. */
  | { kind: 'requested'; request: ApprovalRequest }
  /** It waits for the person to say yes; the input is what they say yes to. */
  | ({ kind: 'unconfirmed' } & Confirmation)
  /** It needs approval, and the person gave no reason. */
  | { kind: 'unexplained' }
  /** Something can go wrong, and the person has not confirmed it. `input`: what was resolved, as texts. */
  | { kind: 'warned'; message: string; input: TextInput; confirmation: string }
  | { kind: 'refused'; message: string }
  | Failure
  | Exclude<ResolvedInput, { kind: 'read' }>;
