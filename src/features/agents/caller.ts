import type { IncomingMessage } from 'node:http';
import type { OperationRequest, ExecutionResult } from '../../governance/perform/execute.ts';
import type { Operation } from '../../operations/operation.ts';
import type { TextInput } from '../../operations/text-input.ts';

/** Who calls a tool: a person, through the platform’s assistant or through an agent that has a token of theirs. */
export interface Caller {
  personId: string;
  teamId: string;
  through: Extract<OperationRequest['through'], 'assistant' | 'agent'>;
  /** The name of the token; undefined for the assistant. */
  tokenName?: string;
}

/** The assistant of the platform, whose requests are signed. */
export interface AssistantDoor {
  /** Whether a request claims to come from the platform. */
  isClaimed(request: IncomingMessage): boolean;
  /** Why the head of a request is refused, before its body is read. */
  refusalByHead(request: IncomingMessage): string | undefined;
  refusalByBody(request: IncomingMessage, body: string): string | undefined;
  /** The person in whose name a signed message came; undefined for messages that name nobody. A sentence where the person is not served. */
  callerIn(message: unknown): Promise<Caller | { refused: string } | undefined>;
}

/** What the platform does for tools. */
export interface AgentPlatform {
  /** What goes into the `_meta` of a result for the assistant, which draws the outcome. */
  pictureOf(
    operation: Operation,
    input: TextInput,
    outcome: Exclude<ExecutionResult, { kind: 'incomplete' }>,
  ): Readonly<Record<string, unknown>>;
  /** Puts the bot’s names in the workspace into a sentence. */
  inOwnNames(sentence: string): string;
  /** Reads mentions and IDs in an argument, as the core writes them. */
  readText(text: string): string;
  /** Sends the person what only they can press, such as a confirmation, in a direct message. @throws {PlatformError} */
  sendToPress(
    caller: Caller,
    operation: Operation,
    input: TextInput,
    outcome: Exclude<ExecutionResult, { kind: 'incomplete' }>,
  ): Promise<void>;
  /** What goes into the `_meta` of each tool. */
  toolMeta: Readonly<Record<string, unknown>>;
}
