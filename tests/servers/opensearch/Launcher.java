import java.io.OutputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;

/**
 * One OpenSearch node: Launcher CONFIG-FOLDER setting=value ...
 *
 * The stock main needs security policies that only the distribution has, and refuses to run as root.
 * Ends when its standard input does, so that it never outlives the tests, however they end.
 */
public final class Launcher {
    public static void main(String[] arguments) throws Exception {
        // An Error (k-NN's default engine without its native library, say) kills only its thread otherwise,
        // and calls hang; the stock main halts as well.
        Thread.setDefaultUncaughtExceptionHandler((thread, problem) -> {
            problem.printStackTrace();
            if (problem instanceof Error || "main".equals(thread.getName())) {
                Runtime.getRuntime().halt(1);
            }
        });
        Map<String, String> settings = new HashMap<>();
        for (int i = 1; i < arguments.length; i++) {
            String[] pair = arguments[i].split("=", 2);
            settings.put(pair[0], pair[1]);
        }
        Environment environment = InternalSettingsPreparer.prepareEnvironment(
            Settings.EMPTY, settings, Path.of(arguments[0]), () -> "localhost");
        LogConfigurator.configure(environment);
        new Node(environment).start();
        System.in.transferTo(OutputStream.nullOutputStream());
        Runtime.getRuntime().halt(0); // what it holds is thrown away with its folder
    }
}
