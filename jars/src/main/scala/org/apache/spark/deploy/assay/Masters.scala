package org.apache.spark.deploy.assay

import scala.util.control.NonFatal

import org.apache.spark.{SecurityManager, SparkConf}
import org.apache.spark.deploy.DeployMessages.{MasterStateResponse, RequestMasterState}
import org.apache.spark.deploy.master.{Master, RecoveryState}
import org.apache.spark.rpc.{RpcAddress, RpcEnv}

/** Asks a standalone cluster's masters how they are, before an application is registered: Spark itself tries for a
 *  minute, and then says little. */
object Masters {
  /** The reason, in one line, why no master at `addresses` (host:port by commas) can give executors of `memoryMb` and
   *  `cores`; empty where one of them can. Each may take `seconds` to answer. */
  def problem(addresses: String, memoryMb: Int, cores: Int, seconds: Int): String = {
    val conf = new SparkConf(false)
    for (key <- Seq("spark.rpc.askTimeout", "spark.rpc.lookupTimeout", "spark.network.timeout")) conf.set(key, s"${seconds}s")
    conf.set("spark.rpc.numRetries", "1")
    val env = RpcEnv.create("assay-asks", "127.0.0.1", 0, conf, new SecurityManager(conf), clientMode = true)
    try {
      val said = addresses.split(",").iterator.map(address => address -> asked(env, address, memoryMb, cores)).toSeq
      if (said.exists(_._2.isEmpty)) "" else said.map { case (address, why) => s"$address: $why" }.mkString("; ")
    } finally env.shutdown()
  }

  private def asked(env: RpcEnv, address: String, memoryMb: Int, cores: Int): String = {
    val (host, port) = address.splitAt(address.lastIndexOf(':'))
    try {
      val master = env.setupEndpointRef(RpcAddress(host, port.tail.toInt), Master.ENDPOINT_NAME)
      problem(master.askSync[MasterStateResponse](RequestMasterState), memoryMb, cores)
    } catch {
      case NonFatal(e) =>
        val causes = Iterator.iterate[Throwable](e)(_.getCause).takeWhile(_ != null).take(9).toSeq
        val last = String.valueOf(causes.last.getMessage).linesIterator.take(1).mkString.take(120)
        s"no Spark master of this release answers ($last)"
    }
  }

  private def problem(state: MasterStateResponse, memoryMb: Int, cores: Int): String = {
    val alive = state.workers.filter(_.isAlive())
    if (state.status != RecoveryState.ALIVE) s"the master is ${state.status.toString.toLowerCase}"
    else if (alive.isEmpty) "the master has no worker that is alive"
    else if (!alive.exists(worker => worker.memory >= memoryMb && worker.cores >= cores))
      s"no worker has $memoryMb MB and $cores cores (the largest: ${alive.map(_.memory).max} MB, ${alive.map(_.cores).max} cores): see spark.executor.memory, spark.executor.cores"
    else ""
  }
}
