import type { Request } from 'express';

/** The members of Express' router that this file uses. */
interface Layer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** The methods of a path, for `Allow`; empty where no route has the path. */
export function allowedMethods(request: Request, path = request.path): string[] {
  const { stack } = request.app.router as unknown as { stack: Layer[] };
  const methods = new Set<string>();
  for (const layer of stack) {
    // A layer that serves even TRACE is middleware.
    if (!layer.route || layer.route.methods.trace || !matches(layer, path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** Matching decodes the path, and a malformed path throws. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
