/** The parameter names in a path such as `/quizzes/:quiz_id`. */
export type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameters<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export interface Route<Run> {
  method: string;
  path: string;
  run: Run;
}

type Match<Run> =
  | { found: true; path: string; run: Run; parameters: Record<string, string> }
  | { found: false; allowedMethods: string[] };

/**
 * Builds a router. It decodes path parameters.
 * @throws URIError when a path parameter has an invalid encoding
 */
export function createRouter<Run>(routes: readonly Route<Run>[]): (method: string, pathname: string) => Match<Run> {
  const compiled = routes.map((route) => ({ route, ...compilePath(route.path) }));
  return (method, pathname) => {
    const allowedMethods: string[] = [];
    for (const { route, pattern, names } of compiled) {
      const values = pattern.exec(pathname);
      if (!values) continue;
      if (route.method !== method) {
        allowedMethods.push(route.method);
        continue;
      }
      const parameters = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i + 1] ?? '')]));
      return { found: true, path: route.path, run: route.run, parameters };
    }
    return { found: false, allowedMethods };
  };
}

function compilePath(path: string): { pattern: RegExp; names: string[] } {
  const names: string[] = [];
  const source = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    names.push(name);
    return '([^/]+)';
  });
  return { pattern: new RegExp(`^${source.replaceAll('.', '\\.')}$`), names };
}
