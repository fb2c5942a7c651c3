import { changingCalls } from '../../src/quiz-api/endpoints.ts';

/**
 * Rules of the linter about the one way to change the account, which `.oxlintrc.json` switches on by folder:
 *
 * - `changes-in-operations`: only operations send requests that change the account;
 * - `run-by-the-kernel`: only the kernel runs operations;
 * - `lasts-in-durable`: only `durable/`, `storage/` and `time/` set timers, keep states, hold leases and replace requests;
 * - `imported-by`: some functions are imported, or taken from an object, by the files that its option names, and by no others.
 *
 * They look at names, not at types: `users.update` is a change wherever it stands.
 */
export default {
  meta: { name: 'invigilator' },
  rules: {
    'changes-in-operations': {
      create: (context: RuleContext): Visitor => {
        const check = (node: Node, member: string) => {
          if (changingCalls.has(member))
            context.report({ node, message: `${member} changes the account: only an operation may call it.` });
        };
        return {
          MemberExpression: (node) => check(node, `${lastName(node.object)}.${lastName(node)}`),
          Property: (node) => namesIn(node.value).forEach((method) => check(node, `${nameOf(node.key)}.${method}`)),
          VariableDeclarator: (node) =>
            namesIn(node.id).forEach((method) => check(node, `${lastName(node.init)}.${method}`)),
        };
      },
    },

    'run-by-the-kernel': {
      create: (context: RuleContext): Visitor => {
        const check = (node: Node, name: string | undefined) => {
          if (name === 'run')
            context.report({ node, message: 'Only carryOut runs operations. Call something else otherwise.' });
        };
        return {
          MemberExpression: (node) => check(node, lastName(node)),
          ObjectPattern: (node) => namesIn(node).forEach((name) => check(node, name)),
        };
      },
    },

    'lasts-in-durable': {
      create: (context: RuleContext): Visitor => {
        const check = (node: Node, name: string | undefined, of?: string) => {
          const isKept = name !== undefined && (lasting.has(name) || (name === 'replace' && of === 'approvals'));
          if (isKept)
            context.report({
              node,
              message: `${name} is for durable/, storage/ and time/: give them the work instead.`,
            });
        };
        return {
          MemberExpression: (node) => check(node, lastName(node), lastName(node.object)),
          ObjectPattern: (node) => namesIn(node).forEach((name) => check(node, name)),
          CallExpression: (node) => check(node, nameOf(node.callee)),
          ImportSpecifier: (node) => check(node, nameOf(node.imported)),
        };
      },
    },

    'imported-by': {
      meta: { schema: [{ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }] },
      create: (context: RuleContext): Visitor => {
        const importers = new Map(Object.entries(context.options[0] ?? {}));
        const file = context.filename.replaceAll('\\', '/');
        const check = (node: Node, name: string | undefined) => {
          const allowed = name === undefined ? undefined : importers.get(name);
          if (allowed?.every((path) => !file.endsWith(`/${path}`)))
            context.report({ node, message: `Only ${allowed.join(' and ')} may use ${name}.` });
        };
        return {
          MemberExpression: (node) => check(node, lastName(node)),
          ObjectPattern: (node) => namesIn(node).forEach((name) => check(node, name)),
          ImportSpecifier: (node) => check(node, nameOf(node.imported)),
          ExportSpecifier: (node) => check(node, nameOf(node.local)),
        };
      },
    },
  },
};

const lasting: ReadonlySet<string> = new Set(['setTimeout', 'setInterval', 'commit', 'withLease']);

/** What the rules read of a node of the syntax tree (ESTree). */
interface Node {
  type: string;
  name?: string;
  value?: Node | string;
  object?: Node;
  callee?: Node;
  property?: Node;
  properties?: Node[];
  key?: Node;
  id?: Node;
  init?: Node | null;
  imported?: Node;
  local?: Node;
}

type Visitor = Record<string, (node: Node) => void>;

interface RuleContext {
  filename: string;
  /** Of `imported-by`: the files that may import a function. */
  options: readonly [Readonly<Record<string, readonly string[]>>?];
  report(problem: { node: Node; message: string }): void;
}

function nameOf(node: Node | undefined): string | undefined {
  return node?.name ?? (typeof node?.value === 'string' ? node.value : undefined);
}

/** `users` in `users`, `api.users`, `api['users']` and `deps.api().users`. */
function lastName(node: Node | null | undefined): string | undefined {
  return nameOf(node?.property ?? node ?? undefined);
}

/** What a destructuring pattern takes out of an object. */
function namesIn(node: Node | string | undefined): string[] {
  if (typeof node !== 'object' || node.type !== 'ObjectPattern') return [];
  return (node.properties ?? []).flatMap(({ key }) => nameOf(key) ?? []);
}
