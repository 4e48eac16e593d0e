import { type CanActivate, Controller, Get, Injectable, Post, type Type } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { AccessGuard, GuardedBy, Public } from './access.guard.js';
import { DeclaredAccessService } from './declared-access.service.js';

@Injectable()
class NobodyGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Public()
@Controller('open')
class OpenController {
  @Get()
  show(): string {
    return 'shown';
  }

  @Get('closed')
  @GuardedBy(NobodyGuard)
  showToNobody(): string {
    return 'shown';
  }
}

@Controller('forgotten')
class ForgottenController {
  @Get('here')
  @Public()
  show(): string {
    return 'shown';
  }

  @Post(['a/:id', 'b'])
  change(): string {
    return 'changed';
  }

  /** No route. */
  help(): string {
    return 'helped';
  }
}

class InheritingController extends ForgottenController {}
Controller('inherited')(InheritingController);

async function appOf(controllers: Type<unknown>[], providers: Type<unknown>[] = []) {
  const testing = await Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers,
    providers: [NobodyGuard, { provide: APP_GUARD, useClass: AccessGuard }, ...providers],
  }).compile();
  return testing.createNestApplication({ logger: false });
}

describe('routes without declared access', () => {
  it('the application refuses to start if a route does not declare who may use it, and names the route', async () => {
    const app = await appOf([OpenController, ForgottenController, InheritingController], [DeclaredAccessService]);
    const starting = app.init();
    await expect(starting).rejects.toThrow('POST /forgotten/a/:id, /forgotten/b (ForgottenController.change)');
    await expect(starting).rejects.toThrow('POST /inherited/a/:id, /inherited/b (InheritingController.change)');
    await expect(starting).rejects.not.toThrow(/OpenController|show|help/);
    await app.close();
  });

  it('a route that does not declare who may use it answers 403 even if the application has started', async () => {
    const app = await appOf([OpenController, ForgottenController]);
    try {
      await app.listen(0, '127.0.0.1');
      const ask = async (method: string, path: string) =>
        (await fetch(`${await app.getUrl()}${path}`, { method })).status;
      expect(await ask('POST', '/forgotten/b')).toBe(403);
      expect(await ask('GET', '/forgotten/here')).toBe(200);
      expect(await ask('GET', '/open')).toBe(200);
      expect(await ask('GET', '/open/closed')).toBe(403);
    } finally {
      await app.close();
    }
  });
});
