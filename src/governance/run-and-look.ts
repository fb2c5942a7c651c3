import type { OperationContext } from '../operations/context.ts';
import type { Operation } from '../operations/operation.ts';
import type { OperationResult } from '../operations/operation-result.ts';
import { mayBeDone } from '../quiz-api/may-be-done.ts';
import { refetch, targetsOf, type OperationInput } from './approvals/preview.ts';

/**
 * Runs an operation. Where the quiz service gives no clear answer, its targets are read again: a change that has been made
 * is not reported as failed.
 *
 * @throws the error of the run, unless the change turns out to be made
 */
export async function runAndLook(operation: Operation, context: OperationContext, input: OperationInput): Promise<OperationResult> {
  try {
    return await operation.run(context, input);
  } catch (error) {
    if (operation.access === 'read' || !mayBeDone(error) || !(await isMade(operation, context, input))) throw error;
    return { kind: 'done', message: 'The quiz service did not confirm this, but it is done.' };
  }
}

async function isMade(operation: Operation, context: OperationContext, input: OperationInput): Promise<boolean> {
  try {
    const now = await refetch(operation, input, context);
    return 'gone' in now ? operation.access === 'destructive' : (operation.isDone?.(now.input) ?? false);
  } catch {
    // Services also answer with a page where something is gone: the lists tell.
    return operation.access === 'destructive' && isGoneFromLists(operation, context, input).catch(() => false);
  }
}

async function isGoneFromLists(operation: Operation, { directory, call }: OperationContext, input: OperationInput): Promise<boolean> {
  const [target, ...others] = targetsOf(operation, input);
  if (target === undefined || others.length > 0 || !(target.kind === 'user' || target.kind === 'quiz')) return false;
  const list = target.kind === 'user' ? directory.users : directory.quizzes;
  await list.refresh(call);
  return (await list.names(call)).byId(target.id) === undefined;
}
