import type { Request } from 'express';

/** What this file needs to know of Express' router. */
interface Layer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** The methods with which a path is served, for `Allow`; none where it is not served at all. */
export function allowedMethods(request: Request, path = request.path): string[] {
  const { stack } = request.app.router as unknown as { stack: Layer[] };
  const methods = new Set<string>();
  for (const layer of stack) {
    // What serves even TRACE is middleware under every path, no route.
    if (!layer.route || layer.route.methods.trace || !matches(layer, path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** Matching decodes the path, which a malformed one does not survive. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
