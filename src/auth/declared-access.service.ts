import { Injectable, type OnModuleInit, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS } from './access.guard.js';
import { isScope, REQUIRED_SCOPE, type Scope } from './scopes.js';

type Controller = abstract new (...args: never[]) => object;
type Handler = (...args: never[]) => unknown;

/** Fails the start while a route does not declare who may use it, or needs a scope that no part declares. */
@Injectable()
export class DeclaredAccessService implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const controllers = this.discovery.getControllers().map(({ metatype }) => metatype as Controller);
    const undeclared = this.#routes(controllers, (handler, controller) => {
      return this.reflector.getAllAndOverride<unknown>(ACCESS, [handler, controller]) === undefined;
    });
    const decorators = '@RequireScope, @RequireApiKey, @WebPage, @PublicPage or @Public';
    if (undeclared.length > 0)
      throw new Error(`These routes do not declare who may use them, with ${decorators}: ${undeclared.join(', ')}`);
    const unknown = this.#routes(controllers, (handler) => {
      const scope = this.reflector.get<Scope | undefined>(REQUIRED_SCOPE, handler);
      return scope !== undefined && !isScope(scope);
    });
    if (unknown.length > 0) throw new Error(`These routes need a scope that no part declares: ${unknown.join(', ')}`);
  }

  #routes(
    controllers: readonly Controller[],
    isWanted: (handler: Handler, controller: Controller) => boolean,
  ): string[] {
    return controllers.flatMap((controller) => {
      const handlers = controller.prototype as Record<string, Handler>;
      return this.scanner
        .getAllMethodNames(handlers)
        .filter((name) => Reflect.hasMetadata(METHOD_METADATA, handlers[name]!))
        .filter((name) => isWanted(handlers[name]!, controller))
        .map((name) => `${describeRoute(controller, handlers[name]!)} (${controller.name}.${name})`);
    });
  }
}

function describeRoute(controller: Controller, handler: Handler): string {
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
  const paths = pathsOf(controller).flatMap((start) => pathsOf(handler).map((end) => `/${start}/${end}`));
  return `${method} ${paths.map((path) => path.replace(/\/+/g, '/')).join(', ')}`;
}

function pathsOf(part: object): string[] {
  return [Reflect.getMetadata(PATH_METADATA, part) as string | string[]].flat();
}
