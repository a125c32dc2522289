package org.apache.spark.sql.assay

import java.util.{List => JavaList}

import py4j.{DefaultGatewayServerListener, GatewayServer, Py4JServerConnection}

/** The answers to calls from Python. */
private[assay] object Answers {
  /** Answers that exceed the connection's buffer of 8 KB are sent in parts, and the second part waits until the first one
   *  is acknowledged, which takes its reader 40 ms (Nagle's algorithm and the delayed acknowledgement): longer than a
   *  leg takes. From now on no part waits, on connections that there are and on those to come.
   *  @throws NoSuchFieldException py4j keeps its connections elsewhere */
  def atOnce(server: GatewayServer): Unit = {
    server.addListener(new DefaultGatewayServerListener {
      override def connectionStarted(connection: Py4JServerConnection): Unit = unhindered(connection)
    })
    val present = classOf[GatewayServer].getDeclaredField("connections")
    present.setAccessible(true)
    present.get(server).asInstanceOf[JavaList[Py4JServerConnection]].forEach(unhindered)
  }

  private def unhindered(connection: Py4JServerConnection): Unit = connection.getSocket.setTcpNoDelay(true)
}
