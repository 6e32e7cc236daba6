import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * DynamoDB Local on the loopback: the stock main listens on every interface and has no option for that.
 * Ends when its standard input does, so that it never outlives the tests, however they end.
 */
public final class Launcher {
    public static void main(String[] options) throws Exception {
        DynamoDBProxyServer proxy = ServerRunner.createServerFromCommandLineArgs(options);
        var jetty = DynamoDBProxyServer.class.getDeclaredField("server");
        jetty.setAccessible(true);
        Stream.of(((Server) jetty.get(proxy)).getConnectors())
            .map(ServerConnector.class::cast)
            .forEach(connector -> connector.setHost("127.0.0.1"));
        proxy.safeStart(); // start(), without reporting the start to anybody
        System.in.transferTo(java.io.OutputStream.nullOutputStream());
        Runtime.getRuntime().halt(0);
    }
}
