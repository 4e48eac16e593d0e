import { VERSION } from '../../config/version.js';
import { useFrame } from '../components/frame-context.js';

const LICENSE_URL = 'https://www.gnu.org/licenses/agpl-3.0.html';

/** Version, licence, and where the source is: section 13 of the AGPL wants it shown to everybody who uses the service. */
export function Footer() {
  const { sourceUrl } = useFrame();
  return (
    <footer class="foot">
      <span>Tidemark {VERSION}</span>
      <a href={LICENSE_URL} rel="license noreferrer">
        AGPL-3.0
      </a>
      {sourceUrl && (
        <a href={sourceUrl} rel="noreferrer">
          Source code
        </a>
      )}
    </footer>
  );
}
