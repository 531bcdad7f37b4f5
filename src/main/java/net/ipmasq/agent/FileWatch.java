package net.ipmasq.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls back when the configuration file may have changed; the callback compares contents. Watches the directory, since
 * a mounted ConfigMap changes by a swap of the symbolic link {@code ..data} beside the file. Also checks the file itself
 * twice a second, for mounts without notifications and for links to other directories.
 */
public final class FileWatch {
    private static final long LOOK_EVERY_MILLIS = 500;
    private static final long RETRY_SECONDS = 5;

    private final Path file;
    private final BooleanSupplier isWaiting;
    private final Runnable look;
    private final TransitionLog transitions;
    private final Thread thread;
    private String lastSign = "";
    private @Nullable WatchService service;
    private @Nullable WatchKey key;

    /**
     * @param isWaiting whether the file has not answered yet, so that it is asked again without any sign of a change
     * @param look called from the watch's own thread; called again later when it throws
     * @param log takes one line when looking fails, and one when it no longer does
     * @param now takes why looking fails as long as it does, and the empty text when it no longer does
     */
    public FileWatch(Path file, BooleanSupplier isWaiting, Runnable look, Consumer<String> log, Consumer<String> now) {
        this.file = file.toAbsolutePath();
        this.isWaiting = isWaiting;
        this.look = look;
        this.transitions = new TransitionLog(log, now);
        this.thread = Thread.ofPlatform().daemon().name("config-watch").unstarted(this::watch);
    }

    public FileWatch start() {
        thread.start();
        return this;
    }

    private void watch() {
        try {
            while (true) {
                try {
                    turn();
                    transitions.over("the configuration file is followed again");
                } catch (IOException | RuntimeException | Error e) {
                    // the system has no watch to give, or the pass that runs here has thrown, or one of its listeners;
                    // either may be over soon, and the thread must not die of it unseen
                    transitions.issue("changes of the configuration file are not noticed (" + e
                            + "); trying again every " + RETRY_SECONDS + " s");
                    lastSign = "";
                    TimeUnit.SECONDS.sleep(RETRY_SECONDS);
                }
            }
        } catch (InterruptedException e) {
            // only the end of the process interrupts this thread
            Thread.currentThread().interrupt();
        }
    }

    private void turn() throws IOException, InterruptedException {
        WatchService events = service();
        register(events);
        WatchKey event = events.poll(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        if (event != null) {
            event.pollEvents();
            if (!event.reset()) {
                key = null;
            }
        }
        look(event != null);
    }

    private WatchService service() throws IOException {
        WatchService events = service;
        if (events == null) {
            events = file.getFileSystem().newWatchService();
            service = events;
        }
        return events;
    }

    private void register(WatchService events) {
        Path directory = file.getParent();
        if (key != null && key.isValid() || directory == null) {
            return;
        }
        try {
            key = directory.register(
                    events,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_MODIFY,
                    StandardWatchEventKinds.ENTRY_DELETE);
        } catch (IOException e) {
            // not there yet: the check twice a second goes on, and registers when it appears
            key = null;
        }
    }

    private void look(boolean notified) {
        String sign = sign();
        if (notified || !sign.equals(lastSign) || isWaiting.getAsBoolean()) {
            lastSign = sign;
            look.run();
        }
    }

    private String sign() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.fileKey() + " " + attributes.lastModifiedTime() + " " + attributes.size();
        } catch (IOException e) {
            return "none";
        }
    }
}
